package io.busbar.operator.memcached;

import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.bundle.Webhook;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** Memcached, whole: its controller and its webhook. Any thread. */
public final class MemcachedBundle implements Bundle {

    private static final String STANDARD_IMAGE = "memcached:1.4.36-alpine";

    private final String image;

    /**
     * @param environment the variables of the process, of which {@code MEMCACHED_IMAGE} names the image of the servers
     */
    public MemcachedBundle(Map<String, String> environment) {
        String named = environment.getOrDefault("MEMCACHED_IMAGE", "");
        this.image = named.isBlank() ? STANDARD_IMAGE : named;
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(Controller.of(Memcached.class, new MemcachedReconciler(image, Clock.systemUTC()))
                .sharded()
                .owns(Deployment.class)
                .finalizer("cache.example.com/finalizer"));
    }

    /** Defaults are written out also without a spec, where those of the schema do not reach. */
    @Override
    public List<Webhook> webhooks(BundleContext context) {
        return List.of(Webhook.defaulting(Memcached.class, (memcached, request) -> memcached.withDefaults()));
    }

    @Override
    public Extras extras(BundleContext context) {
        return Extras.none().running("memcached", STANDARD_IMAGE);
    }
}
