package io.busbar.sandbox.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.core.BuiltInLists;
import io.busbar.sandbox.core.CoreDefaults;
import io.busbar.sandbox.core.CoreValidation;
import io.busbar.sandbox.core.InitialStatus;
import io.busbar.sandbox.core.JobSelector;
import io.busbar.sandbox.core.PodAdmission;
import io.busbar.sandbox.model.ModelType;
import io.busbar.sandbox.patch.MergeKeys;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.storage.Metadata;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules that hold for all built-in kinds: who may write spec, who status, and when the generation rises.
 *
 * <p>Immutable. From the {@code PrepareForCreate} and {@code PrepareForUpdate} of the kinds' strategies.
 */
public final class StandardRules implements KindRules {

    private static final Set<String> COUNTED = Set.of(
            "DaemonSet.apps",
            "Deployment.apps",
            "ReplicaSet.apps",
            "StatefulSet.apps",
            "ReplicationController.",
            "CronJob.batch",
            "Job.batch",
            "Ingress.networking.k8s.io",
            "NetworkPolicy.networking.k8s.io",
            "PodDisruptionBudget.policy",
            "CustomResourceDefinition.apiextensions.k8s.io",
            "MutatingWebhookConfiguration.admissionregistration.k8s.io",
            "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
            "EndpointSlice.discovery.k8s.io");
    private static final Set<String> NEVER_COMPARED = Set.of("apiVersion", "kind", "metadata", "status");

    private static final String NAME_LABEL = "kubernetes.io/metadata.name";

    private final ResourceType type;
    private final boolean hasStatus;
    private final boolean counted;
    private final MergeKeys mergeKeys;
    private final ListTopology lists;
    private final ModelType model;

    public StandardRules(ResourceType type, boolean hasStatus) {
        this.type = type;
        this.hasStatus = hasStatus;
        this.mergeKeys = BuiltInLists.mergeKeys(type.group(), type.kind());
        this.lists = BuiltInLists.topology(type.group(), type.kind());
        this.model = ModelType.of(type);
        this.counted = COUNTED.contains(type.kind() + "." + type.group());
    }

    @Override
    public ObjectNode decode(ObjectNode object) {
        if (type.kind().equals("Namespace") && !Metadata.of(object).name().isEmpty()) {
            object.withObject("/metadata")
                    .withObject("/labels")
                    .put(NAME_LABEL, Metadata.of(object).name());
        }
        model.check(object);
        model.fillNulls(object);
        ObjectNode decoded = CoreDefaults.decode(type.group(), type.kind(), object);
        model.prune(decoded);
        return decoded;
    }

    @Override
    public ObjectNode admit(ObjectNode object) {
        return type.kind().equals("Pod") ? PodAdmission.admit(object) : object;
    }

    @Override
    public List<String> unknownFields(ObjectNode object) {
        return model.unknownFields(object);
    }

    @Override
    public List<FieldCause> nulls(ObjectNode configuration, boolean creates) {
        return List.of();
    }

    @Override
    public void prepareForCreate(ObjectNode object) {
        Metadata metadata = Metadata.of(object);
        if (counted) {
            metadata.node().put("generation", 1);
        }
        if (type.kind().equals("Namespace")) {
            object.withObject("/spec").putArray("finalizers").add("kubernetes");
        }
        if (type.kind().equals("Job")) {
            JobSelector.generate(object);
        }
        if (hasStatus && !type.kind().equals("Node")) {
            object.set("status", InitialStatus.of(type.kind(), object));
        }
    }

    @Override
    public void prepareForUpdate(ObjectNode object, ObjectNode before, String subresource) {
        switch (subresource) {
            case "" -> keep(object, before, Set.of("status"), hasStatus);
            case "status" -> keepAllBut(object, before, "status");
            case "finalize" -> keepAllBut(object, before, "spec");
            case "ephemeralcontainers" -> {
                JsonNode added = object.path("spec").path("ephemeralContainers").deepCopy();
                object.set("spec", before.path("spec").deepCopy());
                object.set("status", before.get("status"));
                ObjectNode spec = object.withObject("/spec");
                if (added.isMissingNode()) {
                    spec.remove("ephemeralContainers");
                } else {
                    spec.set("ephemeralContainers", added);
                }
            }
            default -> {}
        }
        if (subresource.isEmpty() || subresource.equals("scale")) {
            count(object, before);
        }
        if (subresource.equals("status") && type.group().equals("apps")) {
            Metadata.of(object).set("labels", before.path("metadata").get("labels"));
        }
    }

    @Override
    public List<FieldCause> validate(ObjectNode object, @Nullable ObjectNode before, String subresource) {
        return CoreValidation.validate(type.group(), type.kind(), object, before, subresource);
    }

    @Override
    public ListTopology lists() {
        return lists;
    }

    @Override
    public boolean mergesStrategically() {
        return true;
    }

    @Override
    public MergeKeys mergeKeys() {
        return mergeKeys;
    }

    private void count(ObjectNode object, ObjectNode before) {
        boolean annotated = type.kind().equals("Deployment")
                && !object.path("metadata")
                        .path("annotations")
                        .equals(before.path("metadata").path("annotations"));
        if (counted && (annotated || !equal(object, before))) {
            Metadata metadata = Metadata.of(object);
            metadata.node().put("generation", Metadata.of(before).generation() + 1);
        }
    }

    private static boolean equal(ObjectNode object, ObjectNode before) {
        Set<String> fields = new TreeSet<>();
        object.fieldNames().forEachRemaining(fields::add);
        before.fieldNames().forEachRemaining(fields::add);
        fields.removeAll(NEVER_COMPARED);
        return fields.stream().allMatch(field -> object.path(field).equals(before.path(field)));
    }

    private static void keep(ObjectNode object, ObjectNode before, Set<String> fields, boolean applies) {
        if (applies) {
            fields.forEach(field -> restore(object, before, field));
        }
    }

    private static void keepAllBut(ObjectNode object, ObjectNode before, String field) {
        Set<String> fields = new TreeSet<>();
        object.fieldNames().forEachRemaining(fields::add);
        before.fieldNames().forEachRemaining(fields::add);
        fields.removeAll(Set.of("apiVersion", "kind", "metadata", field));
        fields.forEach(other -> restore(object, before, other));
    }

    private static void restore(ObjectNode object, ObjectNode before, String field) {
        JsonNode value = before.get(field);
        if (value == null) {
            object.remove(field);
        } else {
            object.set(field, value);
        }
    }
}
