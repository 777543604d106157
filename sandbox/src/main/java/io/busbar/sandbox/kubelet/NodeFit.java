package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Whether a node suits a Pod: by its name, its labels and its taints.
 *
 * <p>Immutable; pure functions. Preferences, affinity between Pods and resources are not looked at.
 *
 * @param pod the spec of a Pod
 */
public record NodeFit(JsonNode pod, ObjectNode node) {

    private static final JsonNode CORDON = JsonNodeFactory.instance
            .objectNode()
            .put("key", "node.kubernetes.io/unschedulable")
            .put("effect", "NoSchedule");

    /** Whether the node is the one that is named, if one is, and has the labels that are asked for. */
    public boolean selects() {
        String name = pod.path("nodeName").asText();
        if (!name.isEmpty() && !name.equals(nodeName())) {
            return false;
        }
        JsonNode labels = node.path("metadata").path("labels");
        for (Map.Entry<String, JsonNode> wanted : pod.path("nodeSelector").properties()) {
            if (!labels.path(wanted.getKey()).equals(wanted.getValue())) {
                return false;
            }
        }
        JsonNode required =
                pod.path("affinity").path("nodeAffinity").path("requiredDuringSchedulingIgnoredDuringExecution");
        return !required.isObject() || any(required.path("nodeSelectorTerms"));
    }

    /** Whether a Pod may come: its taints of either effect, and a cordon, are tolerated. */
    public boolean admits() {
        boolean cordoned = node.path("spec").path("unschedulable").asBoolean();
        return (!cordoned || isTolerated(CORDON)) && tolerates(Set.of("NoSchedule", "NoExecute"));
    }

    /** Whether a Pod that is there may stay. */
    public boolean keeps() {
        return tolerates(Set.of("NoExecute"));
    }

    private String nodeName() {
        return node.path("metadata").path("name").asText();
    }

    private boolean any(JsonNode terms) {
        for (JsonNode term : terms) {
            boolean empty = term.path("matchExpressions").isEmpty()
                    && term.path("matchFields").isEmpty();
            if (!empty
                    && all(term.path("matchExpressions"), node.path("metadata").path("labels"))
                    && all(
                            term.path("matchFields"),
                            JsonNodeFactory.instance.objectNode().put("metadata.name", nodeName()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean all(JsonNode requirements, JsonNode values) {
        return StreamSupport.stream(requirements.spliterator(), false)
                .allMatch(requirement ->
                        holds(requirement, values.path(requirement.path("key").asText())));
    }

    private static boolean holds(JsonNode requirement, JsonNode value) {
        boolean listed = StreamSupport.stream(requirement.path("values").spliterator(), false)
                .anyMatch(value::equals);
        return switch (requirement.path("operator").asText()) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> value.isTextual();
            case "DoesNotExist" -> !value.isTextual();
            case "Gt" -> compare(value, requirement) > 0;
            case "Lt" -> compare(value, requirement) < 0;
            default -> false;
        };
    }

    /** 0 when one of them is no number. */
    private static int compare(JsonNode value, JsonNode requirement) {
        String number = "-?[0-9]{1,18}";
        String limit = requirement.path("values").path(0).asText();
        return value.asText().matches(number) && limit.matches(number)
                ? Long.compare(Long.parseLong(value.asText()), Long.parseLong(limit))
                : 0;
    }

    private boolean tolerates(Set<String> effects) {
        for (JsonNode taint : node.path("spec").path("taints")) {
            if (effects.contains(taint.path("effect").asText()) && !isTolerated(taint)) {
                return false;
            }
        }
        return true;
    }

    private boolean isTolerated(JsonNode taint) {
        for (JsonNode toleration : pod.path("tolerations")) {
            String key = toleration.path("key").asText();
            String effect = toleration.path("effect").asText();
            boolean anyValue = toleration.path("operator").asText().equals("Exists");
            boolean sameValue =
                    toleration.path("value").asText().equals(taint.path("value").asText());
            if ((effect.isEmpty() || effect.equals(taint.path("effect").asText()))
                    && (key.isEmpty() ? anyValue : key.equals(taint.path("key").asText()))
                    && (anyValue || sameValue)) {
                return true;
            }
        }
        return false;
    }
}
