package io.busbar.sandbox.kinds.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.IntOrPercent;

/**
 * How many Pods a rollout may have too many, and how many may be missing.
 *
 * <p>Immutable.
 *
 * @param replicas that are wanted
 * @param surge 0 unless Pods are replaced little by little
 * @param unavailable at most all
 */
record Strategy(boolean rolling, int replicas, int surge, int unavailable) {

    /** Percentages of the surge are rounded up, of the missing ones down; both zero would never get anywhere. */
    static Strategy of(ObjectNode deployment) {
        JsonNode spec = deployment.path("spec");
        int replicas = spec.path("replicas").asInt();
        boolean rolling = spec.path("strategy").path("type").asText().equals("RollingUpdate");
        if (!rolling) {
            return new Strategy(false, replicas, 0, 0);
        }
        JsonNode limits = spec.path("strategy").path("rollingUpdate");
        int surge = IntOrPercent.of(limits.path("maxSurge"), replicas, true);
        int unavailable = IntOrPercent.of(limits.path("maxUnavailable"), replicas, false);
        if (surge == 0 && unavailable == 0) {
            unavailable = 1;
        }
        return new Strategy(true, replicas, surge, Math.min(unavailable, replicas));
    }

    int most() {
        return replicas + surge;
    }

    int fewestAvailable() {
        return replicas - unavailable;
    }
}
