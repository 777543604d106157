package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.Names;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Validation of built-in kinds, and of the metadata of all kinds, in the words of the API server.
 *
 * <p>Any thread.
 */
public final class CoreValidation {

    private CoreValidation() {}

    /**
     * What is wrong with an object of a built-in kind; empty when nothing is.
     *
     * @param group empty for the core group
     * @param object decoded
     * @param before null for a creation
     * @param subresource empty for the object itself; others get only their metadata checked, but for ephemeral containers
     */
    public static List<FieldCause> validate(
            String group, String kind, ObjectNode object, @Nullable ObjectNode before, String subresource) {
        Causes causes = new Causes();
        MetadataValidation.check(causes, kind, object, before);
        if (subresource.isEmpty() || subresource.equals("ephemeralcontainers")) {
            check(causes, group.isEmpty() ? kind : kind + "." + group, object, before, subresource);
        }
        return causes.list();
    }

    /** What is wrong with the metadata of an object of any kind. */
    public static List<FieldCause> metadata(ObjectNode object, @Nullable ObjectNode before) {
        Causes causes = new Causes();
        MetadataValidation.check(causes, "", object, before);
        return causes.list();
    }

    private static void check(
            Causes causes, String kind, ObjectNode object, @Nullable ObjectNode before, String subresource) {
        JsonNode spec = object.path("spec");
        switch (kind) {
            case "Pod" -> {
                PodValidation.spec(causes, "spec", spec);
                if (before == null && spec.has("ephemeralContainers")) {
                    causes.forbidden("spec.ephemeralContainers", "cannot be set on create");
                } else if (before != null && subresource.isEmpty()) {
                    PodUpdates.check(causes, spec, before.path("spec"));
                } else if (before != null) {
                    PodUpdates.checkEphemeral(causes, spec, before.path("spec"));
                }
            }
            case "Deployment.apps" -> WorkloadValidation.deployment(causes, spec, specOf(before));
            case "ReplicaSet.apps" -> WorkloadValidation.replicaSet(causes, spec, specOf(before));
            case "StatefulSet.apps" -> WorkloadValidation.statefulSet(causes, spec, specOf(before));
            case "DaemonSet.apps" -> WorkloadValidation.daemonSet(causes, spec, specOf(before));
            case "Job.batch" -> {
                WorkloadValidation.job(causes, "spec", spec);
                WorkloadValidation.jobUpdate(causes, spec, before);
            }
            case "CronJob.batch" -> WorkloadValidation.cronJob(causes, spec);
            case "HorizontalPodAutoscaler.autoscaling" -> AutoscalerValidation.check(causes, spec);
            case "Service" -> ServiceValidation.check(causes, spec, specOf(before));
            case "ConfigMap" -> {
                keys(causes, "data", object.path("data"));
                keys(causes, "binaryData", object.path("binaryData"));
                immutable(causes, object, before);
            }
            case "Secret" -> secret(causes, object, before);
            case "PersistentVolumeClaim" -> claim(causes, spec);
            case "Role.rbac.authorization.k8s.io" -> RbacValidation.role(causes, object, true);
            case "ClusterRole.rbac.authorization.k8s.io" -> RbacValidation.role(causes, object, false);
            case "RoleBinding.rbac.authorization.k8s.io" -> RbacValidation.binding(causes, object, before, true);
            case "ClusterRoleBinding.rbac.authorization.k8s.io" ->
                RbacValidation.binding(causes, object, before, false);
            default -> {}
        }
    }

    private static @Nullable JsonNode specOf(@Nullable ObjectNode object) {
        return object == null ? null : object.path("spec");
    }

    private static void keys(Causes causes, String field, JsonNode data) {
        data.properties()
                .forEach(entry -> causes.invalid(
                        field + "[" + entry.getKey() + "]", entry.getKey(), Names.configKey(entry.getKey())));
    }

    private static void secret(Causes causes, ObjectNode secret, @Nullable ObjectNode before) {
        keys(causes, "data", secret.path("data"));
        List<String> required = switch (secret.path("type").asText()) {
            case "kubernetes.io/tls" -> List.of("tls.crt", "tls.key");
            case "kubernetes.io/dockercfg" -> List.of(".dockercfg");
            case "kubernetes.io/dockerconfigjson" -> List.of(".dockerconfigjson");
            case "kubernetes.io/ssh-auth" -> List.of("ssh-privatekey");
            default -> List.of();
        };
        for (String key : required) {
            if (!secret.path("data").has(key)) {
                causes.required("data[" + key + "]", "");
            }
        }
        String account = "kubernetes.io/service-account.name";
        if (secret.path("type").asText().equals("kubernetes.io/service-account-token")
                && secret.path("metadata")
                        .path("annotations")
                        .path(account)
                        .asText()
                        .isEmpty()) {
            causes.required("metadata.annotations[" + account + "]", "");
        }
        if (before != null && !secret.path("type").equals(before.path("type"))) {
            causes.invalid("type", secret.path("type"), "field is immutable");
        }
        immutable(causes, secret, before);
    }

    private static void immutable(Causes causes, ObjectNode object, @Nullable ObjectNode before) {
        if (before == null || !before.path("immutable").asBoolean()) {
            return;
        }
        String words = "field is immutable when `immutable` is set";
        if (!object.path("immutable").asBoolean()) {
            causes.forbidden("immutable", words);
        }
        for (String field : List.of("data", "binaryData")) {
            if (!object.path(field).equals(before.path(field))) {
                causes.forbidden(field, words);
            }
        }
    }

    private static void claim(Causes causes, JsonNode spec) {
        if (spec.path("accessModes").isEmpty()) {
            causes.required("spec.accessModes", "at least 1 access mode is required");
        }
        if (!spec.path("resources").path("requests").has("storage")) {
            causes.required("spec.resources[storage]", "");
        }
    }
}
