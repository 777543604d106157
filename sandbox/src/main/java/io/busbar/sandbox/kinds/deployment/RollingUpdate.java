package io.busbar.sandbox.kinds.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How far each ReplicaSet may grow or shrink in one step of a rollout.
 *
 * <p>Immutable; pure functions of what is there. From {@code rolling.go} of the deployment controller.
 */
record RollingUpdate(Strategy strategy, Family family) {

    /** How large the new set is to be, within the surge. */
    int newSize(int size) {
        if (!strategy.rolling()) {
            return strategy.replicas();
        }
        int room = strategy.most() - family.wanted();
        if (size >= strategy.replicas()) {
            return strategy.replicas();
        }
        return room <= 0 ? size : size + Math.min(room, strategy.replicas() - size);
    }

    /** New sizes of old sets, by name: first those Pods go that serve nobody, then as many as may be missing. */
    Map<String, Integer> oldSizes() {
        List<ObjectNode> old = family.activeOld();
        int newUnavailable = family.current()
                .map(set -> Family.replicas(set) - Family.available(set))
                .orElse(0);
        int most = family.wanted() - strategy.fewestAvailable() - newUnavailable;
        Map<String, Integer> sizes = new LinkedHashMap<>();
        if (most <= 0) {
            return sizes;
        }
        int gone = 0;
        for (ObjectNode set : old) {
            int unhealthy = Math.min(most - gone, Family.replicas(set) - Family.available(set));
            if (unhealthy > 0) {
                sizes.put(Metadata.of(set).name(), Family.replicas(set) - unhealthy);
                gone += unhealthy;
            }
        }
        int spare = family.sum(Family::available) - strategy.fewestAvailable();
        for (ObjectNode set : old) {
            int size = sizes.getOrDefault(Metadata.of(set).name(), Family.replicas(set));
            int step = Math.min(size, spare);
            if (step > 0) {
                sizes.put(Metadata.of(set).name(), size - step);
                spare -= step;
            }
        }
        return sizes;
    }
}
