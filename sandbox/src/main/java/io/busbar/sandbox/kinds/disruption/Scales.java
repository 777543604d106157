package io.busbar.sandbox.kinds.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.OwnerReferences;
import io.busbar.sandbox.storage.Metadata;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How many Pods the controllers of some Pods want together.
 *
 * <p>One context.
 */
record Scales(ControllerContext context) {

    private static final List<Kind> SCALED =
            List.of(Kind.REPLICA_SET, Kind.STATEFUL_SET, Kind.REPLICATION_CONTROLLER, Kind.DEPLOYMENT);

    /** @throws UnknownScaleException with the reason that the budget tells */
    int wanted(Collection<ObjectNode> pods) {
        Map<String, Integer> byController = new LinkedHashMap<>();
        for (ObjectNode pod : pods) {
            JsonNode owner = OwnerReferences.controller(pod);
            if (!owner.isObject()) {
                throw new UnknownScaleException(
                        "found no controller ref for pod \"" + Metadata.of(pod).name() + "\"");
            }
            ObjectNode controller = topmost(owner, Metadata.of(pod).namespace());
            byController.put(
                    Metadata.of(controller).uid(),
                    controller.path("spec").path("replicas").asInt());
        }
        return byController.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** A ReplicaSet of a Deployment shrinks while another grows: the Deployment knows better. */
    private ObjectNode topmost(JsonNode owner, String namespace) {
        ObjectNode controller = SCALED.stream()
                .filter(kind -> OwnerReferences.isOf(owner, kind))
                .findFirst()
                .map(kind -> context.store()
                        .get(
                                kind.resource(),
                                ObjectKey.of(namespace, owner.path("name").asText())))
                .orElseThrow(() -> new UnknownScaleException(owner.path("kind").asText() + "."
                        + owner.path("apiVersion").asText() + " does not implement the scale subresource"));
        JsonNode above = OwnerReferences.controller(controller);
        return OwnerReferences.isOf(above, Kind.DEPLOYMENT) ? topmost(above, namespace) : controller;
    }

    /** Immutable. */
    static final class UnknownScaleException extends RuntimeException {

        UnknownScaleException(String message) {
            super(message, null, false, false);
        }
    }
}
