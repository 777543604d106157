package io.busbar.operator.podset;

import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.Sample;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Permission.Subresource;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/** What PodSet needs. Immutable. */
public final class PodSetPart {

    private static final List<Permission> PERMISSIONS = List.of(
            Permission.toControl(PodSet.class),
            Permission.on(PodSet.class, Subresource.STATUS, "patch"),
            // Its Pods block the deletion of their set.
            Permission.on(PodSet.class, Subresource.FINALIZERS, "update"),
            Permission.toWatch(Pod.class),
            Permission.on(Pod.class, "create", "delete"),
            Permission.of("events.k8s.io", List.of("events"), "create", "patch"));

    private PodSetPart() {}

    public static OperatorPart declaration() {
        return new OperatorPart(
                List.of(PodSet.class),
                PERMISSIONS,
                List.of(),
                List.of(),
                List.of(Sample.beside(PodSet.class, "/io/busbar/operator/podset/samples/apps_v1alpha1_podset.yaml")));
    }
}
