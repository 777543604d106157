package @{controllers};

import @{stored}.@{Kind};
import @{stored}.@{Kind}Status;
import io.busbar.common.condition.Conditions;
import io.busbar.manifests.rbac.Permission;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.runtime.bundle.BundleContext;
import java.time.Clock;

/** Does what a @{Kind} asks for, and says in its status what has come of it. Any thread. */
public final class @{Kind}Reconciler implements Reconciler<@{Kind}> {

    private final Clock clock;

    @{Kind}Reconciler(Clock clock) {
        this.clock = clock;
    }

    /** What is watched, and how. What it makes is declared here, with {@code .owns(Deployment.class)} or the like. */
    public static Controller<@{Kind}> controller(BundleContext context) {
        return Controller.of(@{Kind}.class, new @{Kind}Reconciler(Clock.systemUTC()));
    }

    /** What it does in the cluster beside what follows from {@link #controller}, such as by {@code context.client()}. */
    public static Permission[] permissions() {
        return new Permission[] {};
    }

    @Override
    public ReconcileResult reconcile(@{Kind} @{kind}, ReconcileContext<@{Kind}> context) {
        // The objects that it needs are applied here: context.apply(…).
        Conditions conditions = Conditions.of(@{kind}, clock.instant())
                .with("Ready", true, "Reconciled", "all that it asks for is there");
        context.status(@{kind}.with(new @{Kind}Status(conditions.list(), conditions.observedGeneration())));
        return ReconcileResult.awaitChange();
    }
}
