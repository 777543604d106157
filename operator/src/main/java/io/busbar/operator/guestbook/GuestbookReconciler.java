package io.busbar.operator.guestbook;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.guestbook.v1.Guestbook;
import io.busbar.operator.guestbook.v1.GuestbookStatus;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.dependent.Stages;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;

/** Keeps the tiers of a Guestbook as it asks for. Any thread. */
final class GuestbookReconciler implements Reconciler<Guestbook> {

    private static final Apply HOW =
            Apply.standard().decidingAllOf("spec.ports", "spec.template.spec.containers.ports");

    private final Clock clock;

    GuestbookReconciler(Clock clock) {
        this.clock = clock;
    }

    @Override
    public ReconcileResult reconcile(Guestbook guestbook, ReconcileContext<Guestbook> context) {
        GuestbookObjects objects = new GuestbookObjects(guestbook);
        Stages stages = new Stages(context, HOW)
                .then(objects.leaderService(), objects.leader())
                .then(objects.followerService(), objects.followers())
                .then(objects.frontendService(), objects.frontends());
        Frontends frontends = Frontends.of(guestbook, context.lister(Pod.class));
        Conditions conditions = stages.rollout().conditions(Conditions.of(guestbook, clock.instant()));
        context.status(guestbook.with(new GuestbookStatus(
                frontends.active().orElse(null),
                frontends.standby(),
                frontends.ready(),
                conditions.list(),
                conditions.observedGeneration())));
        return stages.result();
    }
}
