package io.busbar.sandbox.rules;

import io.busbar.sandbox.apply.FieldFilter;
import java.util.Map;

/**
 * Which fields the strategies of built-in kinds reset in a write.
 *
 * <p>Immutable. Kinds are named as in {@code Pod.} and {@code Deployment.apps}.
 */
final class Strategies {

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
