package io.busbar.operator.podset;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * What is to be told of a set.
 *
 * <p>Immutable.
 *
 * @param pods as they are after all that was done
 * @param refusal why the API server takes no more Pods, if so
 */
record Observation(OwnedPods pods, Optional<String> refusal) {

    /** A copy of the set that tells so in its status. */
    PodSet in(PodSet set, Instant now) {
        int ready = pods.ready();
        int size = set.getSpec().size();
        boolean available = ready >= size;
        Conditions conditions = Conditions.of(set, now)
                .with(
                        PodSetStatus.AVAILABLE,
                        available,
                        available ? "PodsAvailable" : refusal.isPresent() ? "FailedCreate" : "PodsUnavailable",
                        refusal.orElse(ready + " of " + size + " Pods are available"));
        return set.with(new PodSetStatus(
                pods.names(),
                pods.count(),
                ready,
                ready,
                conditions.observedGeneration(),
                DesiredPod.selector(set),
                conditions.list()));
    }
}
