package io.busbar.operator.podset;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.List;
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
        PodSetStatus before = set.getStatus();
        List<Condition> conditions = before == null ? List.of() : before.conditions();
        PodSet copy = new PodSet();
        copy.setMetadata(new ObjectMetaBuilder(set.getMetadata()).build());
        copy.setSpec(set.getSpec());
        copy.setStatus(new PodSetStatus(
                pods.names(),
                pods.count(),
                pods.ready(),
                pods.ready(),
                set.getMetadata().getGeneration(),
                DesiredPod.selector(set),
                Conditions.with(conditions, available(set), now)));
        return copy;
    }

    private Condition available(PodSet set) {
        int ready = pods.ready();
        int size = set.getSpec().size();
        boolean available = ready >= size;
        return new ConditionBuilder()
                .withType(PodSetStatus.AVAILABLE)
                .withStatus(available ? "True" : "False")
                .withReason(available ? "PodsAvailable" : refusal.isPresent() ? "FailedCreate" : "PodsUnavailable")
                .withMessage(refusal.orElse(ready + " of " + size + " Pods are available"))
                .withObservedGeneration(set.getMetadata().getGeneration())
                .build();
    }
}
