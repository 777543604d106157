package io.busbar.operator.sidecarset;

import io.busbar.common.ResourceType;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.Sample;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Permission.Subresource;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.manifests.webhook.WebhookSelection;
import io.busbar.operator.sidecarset.inject.PodInjection;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.List;

/** What SidecarSet needs. Immutable. Source of the webhooks' paths and names: OpenKruise. */
public final class SidecarSetPart {

    private static final ResourceType SETS = ResourceType.of(SidecarSet.class);

    private static final List<Permission> PERMISSIONS = List.of(
            Permission.toControl(SidecarSet.class),
            Permission.on(SidecarSet.class, Subresource.STATUS, "patch"),
            // Revisions of its history block the deletion of their set.
            Permission.on(SidecarSet.class, Subresource.FINALIZERS, "update"),
            Permission.toWatch(Namespace.class),
            Permission.toWatch(Pod.class),
            Permission.on(Pod.class, "patch"),
            Permission.on(Pod.class, Subresource.STATUS, "patch"),
            Permission.of("events.k8s.io", List.of("events"), "create", "patch"));

    /** The history, and the whitelist of annotations. */
    private static final List<Permission> OWN_NAMESPACE = List.of(
            Permission.toWatch(ControllerRevision.class),
            Permission.on(ControllerRevision.class, "create", "delete", "get", "patch"),
            Permission.toWatch(ConfigMap.class));

    private SidecarSetPart() {}

    public static OperatorPart declaration() {
        return new OperatorPart(
                List.of(SidecarSet.class, io.busbar.operator.sidecarset.v1beta1.SidecarSet.class),
                PERMISSIONS,
                OWN_NAMESPACE,
                List.of(
                        WebhookManifest.mutating("msidecarset.kb.io", SETS, Operation.CREATE, Operation.UPDATE)
                                .at(SidecarSetBundle.MUTATE_PATH),
                        WebhookManifest.validating("vsidecarset.kb.io", SETS, Operation.CREATE, Operation.UPDATE)
                                .at(SidecarSetBundle.VALIDATE_PATH),
                        WebhookManifest.mutating("mpod.kb.io", ResourceType.of(Pod.class), Operation.CREATE)
                                .at(PodInjection.PATH)
                                .selecting(WebhookSelection.outsideOwnAnd("kube-system", "kube-public"))),
                List.of(Sample.beside(
                        SidecarSet.class, "/io/busbar/operator/sidecarset/samples/apps_v1alpha1_sidecarset.yaml")));
    }
}
