package io.busbar.operator.podbugger;

import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Permission.Subresource;
import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.bundle.Webhook;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.util.List;

/** PodBuggerTool, whole: its controller and its webhook. Any thread. */
public final class PodbuggertoolBundle implements Bundle {

    @Override
    public String name() {
        return "podbugger";
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(PodbuggertoolController.declare(Clock.systemUTC()));
    }

    @Override
    public List<Webhook> webhooks(BundleContext context) {
        return List.of(Webhook.validating(Podbuggertool.class, new PodbuggertoolValidator()));
    }

    /** The client reads a Pod before it adds a container. */
    @Override
    public Extras extras(BundleContext context) {
        return Extras.none()
                .allowing(
                        Permission.on(Pod.class, "get"),
                        Permission.on(Pod.class, Subresource.EPHEMERALCONTAINERS, "patch"));
    }
}
