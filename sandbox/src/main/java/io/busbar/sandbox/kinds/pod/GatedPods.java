package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.status.Causes;
import java.util.List;
import java.util.stream.StreamSupport;

/** Pods that are not to be scheduled yet: where they may go can be narrowed down, and only that. Any thread. */
final class GatedPods {

    private static final String MESSAGE = "Scheduling is blocked due to non-empty scheduling gates";
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String TERMS = "nodeSelectorTerms";

    private GatedPods() {}

    /** Tells in the status of a Pod that is made that it waits, if it does. */
    static ObjectNode explain(JsonNode spec, ObjectNode status) {
        if (!spec.path("schedulingGates").isEmpty()) {
            status.putArray("conditions")
                    .addObject()
                    .put("type", "PodScheduled")
                    .put("status", "False")
                    .putNull("lastProbeTime")
                    .putNull("lastTransitionTime")
                    .put("reason", "SchedulingGated")
                    .put("message", MESSAGE);
        }
        return status;
    }

    /** @param spec as wanted; gets back from the one before what it was allowed to change, or was told not to */
    static void narrow(Causes causes, ObjectNode spec, ObjectNode before) {
        JsonNode selector = before.path("nodeSelector");
        for (var entry : selector.properties()) {
            if (!spec.path("nodeSelector").path(entry.getKey()).equals(entry.getValue())) {
                causes.invalid(
                        "spec.nodeSelector",
                        spec.path("nodeSelector"),
                        "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
                break;
            }
        }
        Fields.restore(spec, before, "nodeSelector");
        JsonNode old = before.path("affinity").path("nodeAffinity");
        JsonNode wanted = spec.path("affinity").path("nodeAffinity");
        if (!old.equals(wanted)) {
            terms(causes, wanted.path(REQUIRED).path(TERMS), old.path(REQUIRED).path(TERMS));
            ObjectNode affinity = spec.withObject("/affinity");
            Fields.restore(affinity, before.path("affinity"), "nodeAffinity");
            if (affinity.isEmpty() && !before.has("affinity")) {
                spec.remove("affinity");
            }
        }
    }

    private static void terms(Causes causes, JsonNode terms, JsonNode before) {
        String path = "spec.affinity.nodeAffinity." + REQUIRED + "." + TERMS;
        if (before.isEmpty()) {
            return;
        }
        if (terms.size() != before.size()) {
            causes.invalid(
                    path, shown(terms), "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
            return;
        }
        for (int i = 0; i < terms.size(); i++) {
            JsonNode term = terms.path(i);
            JsonNode old = before.path(i);
            boolean empty = old.path("matchExpressions").isEmpty()
                    && old.path("matchFields").isEmpty();
            if ((empty && !term.equals(old))
                    || !begins(term.path("matchExpressions"), old.path("matchExpressions"))
                    || !begins(term.path("matchFields"), old.path("matchFields"))) {
                causes.invalid(
                        path + "[" + i + "]",
                        shown(terms).path(i),
                        "only additions are allowed (no mutations or deletions)");
            }
        }
    }

    /** Whether a list has all of another, in its places. */
    private static boolean begins(JsonNode list, JsonNode with) {
        for (int i = 0; i < with.size(); i++) {
            if (!list.path(i).equals(with.path(i))) {
                return false;
            }
        }
        return true;
    }

    /** As the API server itself has them. */
    private static ArrayNode shown(JsonNode terms) {
        ArrayNode shown = JsonNodeFactory.instance.arrayNode();
        for (JsonNode term : terms) {
            ObjectNode all = shown.addObject();
            for (String field : List.of("matchExpressions", "matchFields")) {
                String name = Character.toUpperCase(field.charAt(0)) + field.substring(1);
                if (term.path(field).isEmpty()) {
                    all.putNull(name);
                } else {
                    ArrayNode requirements = all.putArray(name);
                    StreamSupport.stream(term.path(field).spliterator(), false)
                            .forEach(requirement -> requirements
                                    .addObject()
                                    .put("Key", requirement.path("key").asText())
                                    .put(
                                            "Operator",
                                            requirement.path("operator").asText())
                                    .set("Values", requirement.get("values")));
                }
            }
        }
        return shown;
    }
}
