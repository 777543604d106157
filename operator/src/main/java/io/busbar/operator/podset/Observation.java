package io.busbar.operator.podset;

import io.busbar.common.condition.ConditionReason;
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

    private static final ConditionReason ALL_AVAILABLE =
            ConditionReason.ofTrue(PodSetStatus.AVAILABLE, "PodsAvailable", "as many Pods are ready as spec.size says");
    private static final ConditionReason SOME_UNAVAILABLE = ConditionReason.ofFalse(
            PodSetStatus.AVAILABLE, "PodsUnavailable", "fewer Pods are ready than spec.size says");
    private static final ConditionReason FAILED_CREATE = ConditionReason.ofFalse(
            PodSetStatus.AVAILABLE,
            "FailedCreate",
            "Pods are missing, and the API server refuses to create them; the message has its words");

    /** A copy of the set that tells so in its status. */
    PodSet in(PodSet set, Instant now) {
        int ready = pods.ready();
        int size = set.getSpec().size();
        boolean available = ready >= size;
        Conditions conditions = Conditions.of(set, now)
                .with(
                        available ? ALL_AVAILABLE : refusal.isPresent() ? FAILED_CREATE : SOME_UNAVAILABLE,
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
