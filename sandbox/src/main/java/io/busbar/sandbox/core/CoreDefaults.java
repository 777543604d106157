package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decoding of built-in kinds: defaults, canonical quantities, and no trace of what is null or empty.
 *
 * <p>Decoding twice is the same as once. Any thread.
 */
public final class CoreDefaults {

    private static final List<String> MAPS = List.of(
            "labels",
            "annotations",
            "nodeSelector",
            "matchLabels",
            "data",
            "stringData",
            "binaryData",
            "limits",
            "requests");

    /** Their content is anybody's. */
    private static final Set<String> RAW = Set.of("CustomResourceDefinition", "ControllerRevision");

    private CoreDefaults() {}

    /**
     * The object as the API server would hold it.
     *
     * @param group empty for the core group
     * @param object not altered
     * @throws StatusException 400 when a quantity is none, or a label no text
     */
    public static ObjectNode decode(String group, String kind, ObjectNode object) {
        ObjectNode decoded = object.deepCopy();
        if (!RAW.contains(kind)) {
            Fields.compact(decoded, MAPS);
        }
        checkTexts(kind, decoded);
        try {
            fill(group.isEmpty() ? kind : kind + "." + group, decoded);
        } catch (NoQuantityException e) {
            throw undecodable(kind, decoded, String.valueOf(e.getMessage()));
        }
        return decoded;
    }

    private static void fill(String kind, ObjectNode object) {
        ObjectNode spec = object.get("spec") instanceof ObjectNode given ? given : object.objectNode();
        switch (kind) {
            case "Pod" -> PodDefaults.pod(Fields.in(object, "spec"));
            case "PodTemplate" -> Fields.ifObject(object.get("template"), PodDefaults::template);
            case "Deployment.apps" -> WorkloadDefaults.deployment(Fields.in(object, "spec"));
            case "ReplicaSet.apps", "ReplicationController" -> WorkloadDefaults.replicas(Fields.in(object, "spec"));
            case "StatefulSet.apps" -> WorkloadDefaults.statefulSet(Fields.in(object, "spec"));
            case "DaemonSet.apps" -> WorkloadDefaults.daemonSet(Fields.in(object, "spec"));
            case "Job.batch" -> WorkloadDefaults.job(Fields.in(object, "spec"), true);
            case "CronJob.batch" -> WorkloadDefaults.cronJob(Fields.in(object, "spec"));
            case "Service" -> ServiceDefaults.service(Fields.in(object, "spec"));
            case "Endpoints" -> ServiceDefaults.endpoints(object);
            case "NetworkPolicy.networking.k8s.io" -> ServiceDefaults.networkPolicy(spec);
            case "Secret" -> secret(object);
            case "PersistentVolumeClaim" -> VolumeDefaults.claim(Fields.in(object, "spec"));
            case "PersistentVolume" -> VolumeDefaults.volume(Fields.in(object, "spec"));
            case "StorageClass.storage.k8s.io" -> {
                Fields.text(object, "reclaimPolicy", "Delete");
                Fields.text(object, "volumeBindingMode", "Immediate");
            }
            case "PriorityClass.scheduling.k8s.io" -> Fields.text(object, "preemptionPolicy", "PreemptLowerPriority");
            case "HorizontalPodAutoscaler.autoscaling" -> AutoscalerDefaults.fill(object);
            case "RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io" ->
                binding(object);
            case "MutatingWebhookConfiguration.admissionregistration.k8s.io" -> WebhookDefaults.webhooks(object, true);
            case "ValidatingWebhookConfiguration.admissionregistration.k8s.io" ->
                WebhookDefaults.webhooks(object, false);
            case "Node" -> {
                VolumeDefaults.amounts(object.path("status").get("capacity"));
                VolumeDefaults.amounts(object.path("status").get("allocatable"));
            }
            case "ResourceQuota" -> VolumeDefaults.amounts(spec.get("hard"));
            default -> {}
        }
    }

    /** Plain strings are merged into the data, and never read back. */
    private static void secret(ObjectNode secret) {
        Fields.text(secret, "type", "Opaque");
        if (secret.remove("stringData") instanceof ObjectNode plain) {
            ObjectNode data = Fields.in(secret, "data");
            plain.properties()
                    .forEach(entry -> data.put(
                            entry.getKey(),
                            Base64.getEncoder()
                                    .encodeToString(entry.getValue().asText().getBytes(StandardCharsets.UTF_8))));
        }
    }

    private static void binding(ObjectNode binding) {
        Fields.ifObject(binding.get("roleRef"), role -> Fields.text(role, "apiGroup", "rbac.authorization.k8s.io"));
        Fields.each(binding.path("subjects"), subject -> {
            if (!subject.path("kind").asText().equals("ServiceAccount")) {
                Fields.text(subject, "apiGroup", "rbac.authorization.k8s.io");
            }
        });
    }

    private static void checkTexts(String kind, ObjectNode object) {
        for (String field : List.of("labels", "annotations")) {
            for (Map.Entry<String, JsonNode> entry :
                    object.path("metadata").path(field).properties()) {
                if (!(entry.getValue() instanceof TextNode)) {
                    throw undecodable(
                            kind,
                            object,
                            "v1.ObjectMeta." + Character.toUpperCase(field.charAt(0)) + field.substring(1)
                                    + ": ReadString: expects \" or n, but found "
                                    + entry.getValue().toString().charAt(0));
                }
            }
        }
    }

    private static StatusException undecodable(String kind, ObjectNode object, String why) {
        String apiVersion = object.path("apiVersion").asText();
        String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        return StatusException.badRequest(
                kind + " in version \"" + version + "\" cannot be handled as a " + kind + ": " + why);
    }
}
