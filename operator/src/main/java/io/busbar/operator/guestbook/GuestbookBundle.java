package io.busbar.operator.guestbook;

import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.KeyMapping;
import io.busbar.operator.guestbook.v1.Guestbook;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.util.List;

/** Guestbook, whole: its controller. Any thread. */
public final class GuestbookBundle implements Bundle {

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(Controller.of(Guestbook.class, new GuestbookReconciler(Clock.systemUTC()))
                .sharded()
                .when(ChangePredicate.generationChanged())
                .owns(Deployment.class)
                .owns(Service.class)
                .watches(
                        Frontends.PODS,
                        List.of(Frontends.BY_GUESTBOOK),
                        ChangePredicate.changed(Frontends::isReady),
                        KeyMapping.byLabel(Frontends.INSTANCE)));
    }

    @Override
    public Extras extras(BundleContext context) {
        return Extras.none()
                .running("guestbook-frontend", GuestbookObjects.FRONTEND_IMAGE)
                .running("guestbook-leader", GuestbookObjects.LEADER_IMAGE)
                .running("guestbook-follower", GuestbookObjects.FOLLOWER_IMAGE);
    }
}
