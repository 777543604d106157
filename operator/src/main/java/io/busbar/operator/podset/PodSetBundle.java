package io.busbar.operator.podset;

import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import java.time.Clock;
import java.util.List;

/** PodSet, whole: it has no webhooks, since its schema says all that is to be checked. Any thread. */
public final class PodSetBundle implements Bundle {

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(PodSetController.declare(Clock.systemUTC()));
    }
}
