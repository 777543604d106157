package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.check.CheckedPlan.CheckedStep;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.common.ResourceType;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.util.Objects;
import java.util.Set;

/** What the steps of a run write in one turn, but for their Jobs: they apply, patch and delete. */
final class StepObjects {

    private final String manager;
    private final GenericKubernetesResource instance;
    private final Set<Class<? extends GenericKubernetesResource>> owned;
    private final RunProgress progress;
    private final ReconcileContext<BlueprintRun> context;
    private final KubernetesSerialization serialization;

    /**
     * @param manager of the fields that are applied
     * @param instance that the run is about
     * @param owned the kinds of the instance's resources
     */
    StepObjects(
            String manager,
            GenericKubernetesResource instance,
            Set<Class<? extends GenericKubernetesResource>> owned,
            RunProgress progress,
            ReconcileContext<BlueprintRun> context,
            KubernetesSerialization serialization) {
        this.manager = manager;
        this.instance = instance;
        this.owned = owned;
        this.progress = progress;
        this.context = context;
        this.serialization = serialization;
    }

    /** It goes with the instance where it can, not with the run. */
    void apply(CheckedStep step, ObjectNode object) {
        ObjectNode metadata = object.withObjectProperty("metadata");
        String own = Objects.requireNonNullElse(instance.getMetadata().getNamespace(), "");
        if (!metadata.has("ownerReferences")
                && (own.isEmpty() || own.equals(metadata.path("namespace").asText()))) {
            metadata.putArray("ownerReferences")
                    .add(serialization.convertValue(
                            new OwnerReferenceBuilder()
                                    .withApiVersion(instance.getApiVersion())
                                    .withKind(instance.getKind())
                                    .withName(instance.getMetadata().getName())
                                    .withUid(instance.getMetadata().getUid())
                                    .build(),
                            JsonNode.class));
        }
        PatchContext how = new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(manager)
                .withForce(true)
                .build();
        resource(step, object).patch(how, serialization.convertValue(object, GenericKubernetesResource.class));
        progress.succeeds(step.step().name());
    }

    void patch(CheckedStep step, ObjectNode object) {
        try {
            resource(step, object).patch(PatchContext.of(PatchType.JSON_MERGE), object.toString());
            progress.succeeds(step.step().name());
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw refused;
            }
            progress.fails(step.step().name(), shown(object) + " is not there");
        }
    }

    /** Whether it is to be looked at again, as no watch tells of its end. */
    boolean delete(CheckedStep step, ObjectNode object) {
        String name = step.step().name();
        Resource<GenericKubernetesResource> resource = resource(step, object);
        GenericKubernetesResource there = resource.get();
        String noted = progress.of(name).object();
        if (there == null || (noted != null && !there.getMetadata().getUid().equals(noted))) {
            progress.succeeds(name);
            return false;
        }
        progress.runs(
                name, shown(object) + " is not gone yet", there.getMetadata().getUid());
        if (there.getMetadata().getDeletionTimestamp() == null) {
            context.status(progress.told()); // so that another one of its name is left alone after a restart
            resource.lockResourceVersion(there.getMetadata().getResourceVersion())
                    .delete();
        }
        return !isWatched(there);
    }

    /** Whether a change of an object brings this run back: that of one of the instance's resources does. */
    private boolean isWatched(GenericKubernetesResource object) {
        return InstanceReconciler.RESOURCE.of(object).isPresent()
                && LooseObjects.isOf(instance, object)
                && owned.stream()
                        .map(ResourceType::of)
                        .anyMatch(type -> type.kind().equals(object.getKind())
                                && type.apiVersion().equals(object.getApiVersion()));
    }

    private static String shown(ObjectNode object) {
        return "the " + object.path("kind").asText() + " '"
                + object.path("metadata").path("name").asText() + "'";
    }

    private Resource<GenericKubernetesResource> resource(CheckedStep step, ObjectNode object) {
        ResourceType type = step.type().orElseThrow();
        var all = context.client().genericKubernetesResources(type.clientContext());
        JsonNode metadata = object.path("metadata");
        return type.namespaced()
                ? all.inNamespace(metadata.path("namespace").asText())
                        .withName(metadata.path("name").asText())
                : all.withName(metadata.path("name").asText());
    }
}
