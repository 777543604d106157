package io.busbar.sandbox.http;

import java.util.List;
import java.util.Map;

/**
 * Versions of built-in kinds that are served no more but still known, so that a body in one of them is told from
 * nonsense.
 *
 * <p>Immutable.
 */
final class OldVersions {

    private static final List<String> APPS = List.of("apps/v1beta2", "extensions/v1beta1");
    private static final List<String> RBAC =
            List.of("rbac.authorization.k8s.io/v1beta1", "rbac.authorization.k8s.io/v1alpha1");
    private static final Map<String, List<String>> VERSIONS = Map.ofEntries(
            Map.entry("Deployment", List.of("apps/v1beta1", "apps/v1beta2", "extensions/v1beta1")),
            Map.entry("StatefulSet", List.of("apps/v1beta1", "apps/v1beta2")),
            Map.entry("ControllerRevision", List.of("apps/v1beta1", "apps/v1beta2")),
            Map.entry("DaemonSet", APPS),
            Map.entry("ReplicaSet", APPS),
            Map.entry("CronJob", List.of("batch/v1beta1")),
            Map.entry("PodDisruptionBudget", List.of("policy/v1beta1")),
            Map.entry("Eviction", List.of("policy/v1beta1")),
            Map.entry("Ingress", List.of("networking.k8s.io/v1beta1", "extensions/v1beta1")),
            Map.entry("IngressClass", List.of("networking.k8s.io/v1beta1")),
            Map.entry("Lease", List.of("coordination.k8s.io/v1beta1")),
            Map.entry("EndpointSlice", List.of("discovery.k8s.io/v1beta1")),
            Map.entry("Event", List.of("v1", "events.k8s.io/v1", "events.k8s.io/v1beta1")),
            Map.entry(
                    "HorizontalPodAutoscaler",
                    List.of("autoscaling/v1", "autoscaling/v2", "autoscaling/v2beta1", "autoscaling/v2beta2")),
            Map.entry("PriorityClass", List.of("scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha1")),
            Map.entry("StorageClass", List.of("storage.k8s.io/v1beta1")),
            Map.entry("CSIDriver", List.of("storage.k8s.io/v1beta1")),
            Map.entry("Role", RBAC),
            Map.entry("RoleBinding", RBAC),
            Map.entry("ClusterRole", RBAC),
            Map.entry("ClusterRoleBinding", RBAC),
            Map.entry("MutatingWebhookConfiguration", List.of("admissionregistration.k8s.io/v1beta1")),
            Map.entry("ValidatingWebhookConfiguration", List.of("admissionregistration.k8s.io/v1beta1")));

    private OldVersions() {}

    static List<String> of(String kind) {
        return VERSIONS.getOrDefault(kind, List.of());
    }
}
