package io.busbar.operator.podset;

import io.busbar.manifests.OperatorPart;
import io.busbar.operator.runtime.Bundle;
import io.busbar.reconciler.Controller;
import java.time.Clock;
import java.util.List;

/** PodSet, whole: it has no webhooks, since its schema says all that is to be checked. Any thread. */
public final class PodSetBundle implements Bundle {

    @Override
    public OperatorPart part() {
        return PodSetPart.declaration();
    }

    @Override
    public List<Controller<?>> controllers() {
        return List.of(PodSetController.declare(Clock.systemUTC()));
    }
}
