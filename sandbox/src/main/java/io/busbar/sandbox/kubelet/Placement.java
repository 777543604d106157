package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Conditions;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses a node for a Pod: the one with the fewest Pods of those that are ready, not cordoned, selected and tolerated.
 *
 * <p>Affinity between Pods, spreading and resources are not looked at. A pure function. Any thread.
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
        NodeFit fit = new NodeFit(spec, node);
        return Conditions.isTrue(node.path("status"), "Ready") && fit.selects() && fit.admits();
    }
}
