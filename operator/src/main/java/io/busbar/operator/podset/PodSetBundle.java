package io.busbar.operator.podset;

import io.busbar.manifests.OperatorPart;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.runtime.Bundle;
import io.busbar.operator.runtime.OperatorOptions;
import io.busbar.reconciler.Controller;
import java.time.Clock;
import java.util.List;

/** PodSet, whole: it has no webhooks, since its schema says all that is to be checked. Any thread. */
public final class PodSetBundle implements Bundle {

    private final OperatorOptions options;

    public PodSetBundle(OperatorOptions options) {
        this.options = options;
    }

    @Override
    public OperatorPart part() {
        return PodSetPart.in(options.namespace());
    }

    @Override
    public List<Controller<?>> controllers() {
        Controller<PodSet> controller =
                PodSetController.declare(Clock.systemUTC()).workers(options.maxConcurrentReconciles());
        if (!options.resyncInterval().isZero()) {
            controller.resync(options.resyncInterval());
        }
        return List.of(controller);
    }
}
