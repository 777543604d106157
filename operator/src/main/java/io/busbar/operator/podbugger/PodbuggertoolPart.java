package io.busbar.operator.podbugger;

import io.busbar.common.ResourceType;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.Sample;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Permission.Subresource;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/** What PodBuggerTool needs. Immutable. */
public final class PodbuggertoolPart {

    private static final List<Permission> PERMISSIONS = List.of(
            Permission.toControl(Podbuggertool.class),
            Permission.on(Podbuggertool.class, Subresource.STATUS, "patch"),
            Permission.toWatch(Pod.class),
            // The client reads a Pod before it adds a container.
            Permission.on(Pod.class, "get"),
            Permission.on(Pod.class, Subresource.EPHEMERALCONTAINERS, "patch"),
            Permission.of("events.k8s.io", List.of("events"), "create", "patch"));

    private PodbuggertoolPart() {}

    public static OperatorPart declaration() {
        return new OperatorPart(
                List.of(Podbuggertool.class),
                PERMISSIONS,
                List.of(),
                List.of(WebhookManifest.validating(
                        "vpodbuggertool.kb.io",
                        ResourceType.of(Podbuggertool.class),
                        Operation.CREATE,
                        Operation.UPDATE)),
                List.of(Sample.beside(
                        Podbuggertool.class,
                        "/io/busbar/operator/podbugger/samples/ualter_v1beta1_podbuggertool.yaml")));
    }
}
