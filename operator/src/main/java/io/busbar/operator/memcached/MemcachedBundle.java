package io.busbar.operator.memcached;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.admission.WebhookPaths;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Listers;
import io.busbar.manifests.OperatorPart;
import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Memcached, whole: its controller and its webhook. Any thread. */
public final class MemcachedBundle implements Bundle {

    /** Kept on every Memcached. */
    public static final String FINALIZER = "cache.example.com/finalizer";

    /** The environment variable that names the image of the servers. */
    public static final String IMAGE_VARIABLE = "MEMCACHED_IMAGE";

    private static final String DEFAULT_IMAGE = "memcached:1.4.36-alpine";

    private final String image;

    /**
     * @param environment the variables of the process
     */
    public MemcachedBundle(Map<String, String> environment) {
        this.image = Optional.ofNullable(environment.get(IMAGE_VARIABLE))
                .filter(name -> !name.isBlank())
                .orElse(DEFAULT_IMAGE);
    }

    /** Of the servers. */
    String image() {
        return image;
    }

    @Override
    public String name() {
        return "memcached";
    }

    @Override
    public OperatorPart part() {
        return MemcachedPart.declaration();
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(Controller.of(Memcached.class, new MemcachedReconciler(image, Clock.systemUTC()))
                .when(ChangePredicate.generationChanged())
                .owns(Deployment.class)
                .finalizer(FINALIZER));
    }

    @Override
    public Map<String, AdmissionRule> webhooks(BundleContext context, Listers listers) {
        return Map.of(
                WebhookPaths.mutating(ResourceType.of(Memcached.class)),
                AdmissionRules.defaulting(Memcached.class, new MemcachedDefaulter()));
    }
}
