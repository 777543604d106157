package io.busbar.operator.guestbook;

import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.Sample;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Permission.Subresource;
import io.busbar.operator.guestbook.v1.Guestbook;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;

/** What Guestbook needs. Immutable. */
public final class GuestbookPart {

    private static final List<Permission> PERMISSIONS = List.of(
            Permission.toControl(Guestbook.class),
            Permission.on(Guestbook.class, Subresource.STATUS, "patch"),
            // Its dependents block its deletion in the foreground.
            Permission.on(Guestbook.class, Subresource.FINALIZERS, "update"),
            Permission.toWatch(Deployment.class),
            // Read when there is one that its watch does not show; so are Services.
            Permission.on(Deployment.class, "get", "create", "patch"),
            Permission.toWatch(Service.class),
            Permission.on(Service.class, "get", "create", "patch"),
            Permission.toWatch(Pod.class),
            Permission.of("events.k8s.io", List.of("events"), "create", "patch"));

    private GuestbookPart() {}

    public static OperatorPart declaration() {
        return new OperatorPart(
                List.of(Guestbook.class),
                PERMISSIONS,
                List.of(),
                List.of(),
                List.of(Sample.beside(
                        Guestbook.class, "/io/busbar/operator/guestbook/samples/webapp_v1_guestbook.yaml")));
    }
}
