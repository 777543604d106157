package io.busbar.sandbox.select;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.TextFile;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fields that a kind can be selected by, and their values.
 *
 * <p>Which fields, and the three ways to refuse another one, are those of kube-apiserver. Immutable.
 */
final class SelectableFields {

    private enum Refusal {
        /** Kinds with selectable fields of their own, and custom resources. */
        UNSUPPORTED,
        /** All other kinds that come with Kubernetes. */
        UNKNOWN,
        JOB,
        CRON_JOB
    }

    private static final Map<String, String> OWN_FIELDS = TextFile.entries(SelectableFields.class, "fields.txt");

    /** What stands in for an absent value that is no text. */
    private static final Map<String, String> ZEROES = Map.of(
            "spec.hostNetwork",
            "false",
            "spec.unschedulable",
            "false",
            "status.replicas",
            "0",
            "status.successful",
            "0");

    private static final Map<String, List<String>> ELSEWHERE = Map.of(
            "spec.host", List.of("spec.nodeName"),
            "status.podIPs", List.of("status.podIP"),
            "status.successful", List.of("status.succeeded"),
            "source", List.of("source.component", "reportingComponent", "reportingController"),
            "reportingComponent", List.of("reportingComponent", "reportingController"),
            "reportingController", List.of("reportingController", "reportingComponent"));

    private final Set<String> fields;
    private final Refusal refusal;

    private SelectableFields(Set<String> fields, Refusal refusal) {
        this.fields = fields;
        this.refusal = refusal;
    }

    /** @param declared fields of a custom resource beside its name and namespace */
    static SelectableFields of(String group, String kind, Set<String> declared) {
        String name = group.isEmpty() ? kind : kind + "." + group;
        Refusal refusal = switch (name) {
            case "Job.batch" -> Refusal.JOB;
            case "CronJob.batch" -> Refusal.CRON_JOB;
            default ->
                OWN_FIELDS.containsKey(name)
                                || (!group.isEmpty() && !words("groups").contains(group))
                        ? Refusal.UNSUPPORTED
                        : Refusal.UNKNOWN;
        };
        Set<String> fields = new HashSet<>(words(name));
        fields.addAll(declared);
        return new SelectableFields(fields, refusal);
    }

    private static List<String> words(String name) {
        return List.of(OWN_FIELDS
                .getOrDefault(name, "metadata.name metadata.namespace")
                .split(" ", -1));
    }

    void check(String field) {
        if (fields.contains(field)) {
            return;
        }
        throw new SelectorException(
                switch (refusal) {
                    case UNSUPPORTED -> "field label not supported: " + field;
                    case UNKNOWN ->
                        GoText.quote(field)
                                + " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
                    case JOB -> "field label " + GoText.quote(field) + " not supported for batchv1.Job";
                    case CRON_JOB -> "field label " + GoText.quote(field) + " not supported for \"CronJob\"";
                });
    }

    /** An Event is stored once for both of its groups, so either spelling of a field finds it. */
    static String value(ObjectNode object, String field) {
        for (String path : paths(field)) {
            JsonNode found = object;
            for (String step : path.split("\\.", -1)) {
                found = found.path(step);
            }
            if (found.isValueNode() && !found.isNull() && !found.asText().isEmpty()) {
                return found.asText();
            }
        }
        return ZEROES.getOrDefault(field, "");
    }

    private static List<String> paths(String field) {
        if (field.startsWith("involvedObject.")) {
            return List.of(field, "regarding." + field.substring("involvedObject.".length()));
        }
        if (field.startsWith("regarding.")) {
            return List.of(field, "involvedObject." + field.substring("regarding.".length()));
        }
        return ELSEWHERE.getOrDefault(field, List.of(field));
    }
}
