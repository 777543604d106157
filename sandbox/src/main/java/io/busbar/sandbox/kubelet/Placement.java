package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses a node for a Pod: the one with the fewest Pods of those that are ready, not cordoned, selected and tolerated.
 *
 * <p>Affinity, spreading and resources are not looked at. A pure function. Any thread.
 */
final class Placement {

    private Placement() {}

    /**
     * @param load Pods by node
     * @return empty when no node fits
     */
    static Optional<String> choose(ObjectNode pod, Collection<ObjectNode> nodes, Map<String, Integer> load) {
        return nodes.stream()
                .filter(node -> fits(pod.path("spec"), node))
                .map(node -> node.path("metadata").path("name").asText())
                .min(Comparator.<String>comparingInt(name -> load.getOrDefault(name, 0))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static boolean fits(JsonNode spec, ObjectNode node) {
        if (node.path("spec").path("unschedulable").asBoolean() || !isReady(node)) {
            return false;
        }
        JsonNode labels = node.path("metadata").path("labels");
        for (Map.Entry<String, JsonNode> wanted : spec.path("nodeSelector").properties()) {
            if (!labels.path(wanted.getKey()).equals(wanted.getValue())) {
                return false;
            }
        }
        for (JsonNode taint : node.path("spec").path("taints")) {
            if (List.of("NoSchedule", "NoExecute").contains(taint.path("effect").asText())
                    && !isTolerated(taint, spec.path("tolerations"))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isReady(ObjectNode node) {
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    private static boolean isTolerated(JsonNode taint, JsonNode tolerations) {
        for (JsonNode toleration : tolerations) {
            String key = toleration.path("key").asText();
            String effect = toleration.path("effect").asText();
            boolean anyValue = toleration.path("operator").asText().equals("Exists");
            if ((effect.isEmpty() || effect.equals(taint.path("effect").asText()))
                    && (key.isEmpty() ? anyValue : key.equals(taint.path("key").asText()))
                    && (anyValue
                            || toleration
                                    .path("value")
                                    .asText()
                                    .equals(taint.path("value").asText()))) {
                return true;
            }
        }
        return false;
    }
}
