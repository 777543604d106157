package io.busbar.operator.sidecarset.roll;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.sidecarset.history.RegisteredRevision;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import java.util.Collection;

/** What a set's status says of its Pods. Immutable. */
record Counts(int matched, int updated, int ready, int updatedReady) {

    static Counts of(Collection<InjectedPod> pods) {
        int updated = 0;
        int ready = 0;
        int both = 0;
        for (InjectedPod pod : pods) {
            updated += pod.updated() ? 1 : 0;
            ready += pod.ready() ? 1 : 0;
            both += pod.updated() && pod.ready() ? 1 : 0;
        }
        return new Counts(pods.size(), updated, ready, both);
    }

    /** What the status says already. */
    static Counts last(SidecarSet set) {
        SidecarSetStatus status = set.getStatus();
        return status == null
                ? new Counts(0, 0, 0, 0)
                : new Counts(status.matchedPods(), status.updatedPods(), status.readyPods(), status.updatedReadyPods());
    }

    /** A copy of the set with these counts and conditions as its status. */
    SidecarSet in(SidecarSet set, RegisteredRevision revision, Conditions conditions) {
        return set.with(new SidecarSetStatus(
                conditions.observedGeneration(),
                matched,
                updated,
                ready,
                updatedReady,
                revision.name(),
                revision.collisionCount(),
                conditions.list()));
    }
}
