package io.busbar.operator.podset;

import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.WatchSpec;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.Write;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;

/** Declares the controller of PodSets. Any thread. */
final class PodSetController {

    private PodSetController() {}

    static Controller<PodSet> declare(Clock clock) {
        return Controller.of(PodSet.class, new PodSetReconciler(clock))
                .sharded()
                .when(ChangePredicate.generationChanged())
                .owns(pods(), Write.CREATE, Write.DELETE);
    }

    /** Of each Pod, what {@link OwnedPods} and {@link io.busbar.reconciler.dependent.DeletionOrder} read. */
    private static WatchSpec<Pod> pods() {
        return WatchSpec.of(Pod.class)
                .keeping(
                        "metadata.creationTimestamp",
                        "spec.nodeName",
                        "status.phase",
                        "status.conditions.type",
                        "status.conditions.status",
                        "status.conditions.lastTransitionTime",
                        "status.containerStatuses.restartCount");
    }
}
