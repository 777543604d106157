package io.busbar.operator.memcached;

import io.busbar.common.ResourceType;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.Sample;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Permission.Subresource;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;

/** What Memcached needs. Immutable. */
public final class MemcachedPart {

    private static final List<Permission> PERMISSIONS = List.of(
            Permission.toControl(Memcached.class),
            // Its finalizer.
            Permission.on(Memcached.class, "patch"),
            Permission.on(Memcached.class, Subresource.STATUS, "patch"),
            // Its Deployment blocks its deletion in the foreground.
            Permission.on(Memcached.class, Subresource.FINALIZERS, "update"),
            Permission.toWatch(Deployment.class),
            // Read when there is one that its watch does not show.
            Permission.on(Deployment.class, "get", "create", "patch"),
            Permission.of("events.k8s.io", List.of("events"), "create", "patch"));

    private MemcachedPart() {}

    public static OperatorPart declaration() {
        return new OperatorPart(
                List.of(Memcached.class),
                PERMISSIONS,
                List.of(),
                List.of(WebhookManifest.mutating(
                        "mmemcached.kb.io", ResourceType.of(Memcached.class), Operation.CREATE, Operation.UPDATE)),
                List.of(Sample.beside(
                        Memcached.class, "/io/busbar/operator/memcached/samples/cache_v1alpha1_memcached.yaml")));
    }
}
