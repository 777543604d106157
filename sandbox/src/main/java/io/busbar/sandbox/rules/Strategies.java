package io.busbar.sandbox.rules;

import io.busbar.sandbox.apply.FieldFilter;
import java.util.Map;
import java.util.Set;

/**
 * What the strategies of built-in kinds tell of writes: which fields they reset, and what a PUT may do.
 *
 * <p>Immutable. Kinds are named as in {@code Pod.} and {@code Deployment.apps}.
 */
final class Strategies {

    /** {@code AllowCreateOnUpdate}. */
    private static final Set<String> CREATED_BY_PUT = Set.of(
            "Endpoints.",
            "Event.",
            "Event.events.k8s.io",
            "LimitRange.",
            "Service.",
            "Lease.coordination.k8s.io",
            "ClusterRole.rbac.authorization.k8s.io",
            "ClusterRoleBinding.rbac.authorization.k8s.io",
            "Role.rbac.authorization.k8s.io",
            "RoleBinding.rbac.authorization.k8s.io");

    /** Not {@code AllowUnconditionalUpdate}. */
    private static final Set<String> CONDITIONAL = Set.of(
            "CustomResourceDefinition.apiextensions.k8s.io",
            "MutatingWebhookConfiguration.admissionregistration.k8s.io",
            "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
            "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
            "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
            "MutatingAdmissionPolicy.admissionregistration.k8s.io",
            "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io",
            "APIService.apiregistration.k8s.io",
            "Lease.coordination.k8s.io",
            "RuntimeClass.node.k8s.io",
            "PodDisruptionBudget.policy",
            "CSIDriver.storage.k8s.io",
            "CSINode.storage.k8s.io",
            "VolumeAttachment.storage.k8s.io");

    private static final FieldFilter ALL_BUT_STATUS = FieldFilter.resetting("status");
    private static final FieldFilter ALL_BUT_SPEC = FieldFilter.resetting("spec");

    /** What a write to the status resets beside the spec. */
    private static final Map<String, FieldFilter> STATUS = Map.of(
            "Pod.",
            FieldFilter.resetting("spec", "metadata.deletionTimestamp", "metadata.ownerReferences"),
            "Deployment.apps",
            FieldFilter.resetting("spec", "metadata.labels"),
            "CustomResourceDefinition.apiextensions.k8s.io",
            FieldFilter.resetting("spec", "metadata"));

    private static final FieldFilter EPHEMERAL = FieldFilter.counting("spec.ephemeralContainers");
    private static final FieldFilter RESIZED = FieldFilter.counting(
            "spec.containers.*.resources",
            "spec.containers.*.resizePolicy",
            "spec.initContainers.*.resources",
            "spec.initContainers.*.resizePolicy");

    private Strategies() {}

    static boolean createsOnUpdate(String kind) {
        return CREATED_BY_PUT.contains(kind);
    }

    static boolean updatesUnconditionally(String kind) {
        return !CONDITIONAL.contains(kind);
    }

    /** What a write counts for, in who owns what. */
    static FieldFilter counted(String kind, boolean hasStatus, String subresource) {
        return switch (subresource) {
            case "status" -> STATUS.getOrDefault(kind, ALL_BUT_SPEC);
            case "ephemeralcontainers" -> EPHEMERAL;
            case "resize" -> RESIZED;
            default -> hasStatus ? ALL_BUT_STATUS : FieldFilter.NONE;
        };
    }
}
