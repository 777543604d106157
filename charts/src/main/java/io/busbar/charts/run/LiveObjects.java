package io.busbar.charts.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.charts.instance.ChartInstance;
import io.busbar.charts.render.Rendering;
import io.busbar.charts.run.Discovery.NotServedException;
import io.busbar.charts.run.InstanceObjects.Parts;
import io.busbar.common.ResourceType;
import io.busbar.common.api.ApiFailure;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Objects of an instance, and others, as the API server has them now: each look and each change is a request.
 *
 * <p>For the thread of one reconcile; blocks.
 */
final class LiveObjects<P extends ChartInstance> {

    private final Parts parts;
    private final ReconcileContext<P> context;
    private final P primary;

    LiveObjects(Parts parts, ReconcileContext<P> context, P primary) {
        this.parts = parts;
        this.context = context;
        this.primary = primary;
    }

    /** Whoever's it is. */
    Optional<GenericKubernetesResource> get(JsonNode object) {
        return Optional.ofNullable(resource(object).get());
    }

    /** What a chart looks up by its name, whoever's it is. */
    Optional<JsonNode> found(JsonNode object) {
        return get(object).map(this::withoutManagers);
    }

    /** Without the version of the list, which is another one each time. */
    JsonNode list(ResourceType type, String namespace) {
        var all = context.client().genericKubernetesResources(type.clientContext());
        boolean everywhere = namespace.isEmpty() || !type.namespaced();
        ObjectNode list = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", type.apiVersion())
                .put("kind", type.kind() + "List");
        ArrayNode items = list.putArray("items");
        (everywhere ? all.inAnyNamespace() : all.inNamespace(namespace))
                .list()
                .getItems()
                .forEach(object -> items.add(withoutManagers(object)));
        return list;
    }

    private JsonNode withoutManagers(GenericKubernetesResource object) {
        object.getMetadata().setManagedFields(List.of());
        return json(object);
    }

    /**
     * Sees to it that one is so that is read by requests.
     *
     * @throws ObjectNotOwnedException when there is one of that name that is somebody else's
     */
    JsonNode apply(ObjectNode placed) {
        ObjectNode desired = placed.deepCopy();
        ObjectNode metadata = desired.withObjectProperty("metadata");
        metadata.withObjectProperty("annotations").put(Marks.INSTANCE.name(), mark());
        boolean near =
                metadata.path("namespace").asText().equals(primary.getMetadata().getNamespace());
        if (near && !InstanceObjects.isKept(placed)) {
            metadata.putArray("ownerReferences")
                    .addObject()
                    .put("apiVersion", primary.getApiVersion())
                    .put("kind", primary.getKind())
                    .put("name", primary.getMetadata().getName())
                    .put("uid", primary.getMetadata().getUid())
                    .put("controller", true)
                    .put("blockOwnerDeletion", true);
        }
        Resource<GenericKubernetesResource> resource = resource(desired);
        GenericKubernetesResource live = resource.get();
        if (live != null && !isOurs(live)) {
            throw ObjectNotOwnedException.of(live);
        }
        String identity = Rendering.identity(desired);
        String fingerprint = InstanceObjects.fingerprint(desired);
        if (live != null
                && (fingerprint + " " + live.getMetadata().getResourceVersion())
                        .equals(parts.written().get(identity))) {
            return json(live);
        }
        GenericKubernetesResource answer = context.client()
                .genericKubernetesResources(type(desired).clientContext())
                .resource(parts.serialization().convertValue(desired, GenericKubernetesResource.class))
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager(parts.controller())
                        .withForce(true)
                        .build());
        if (InstanceObjects.isKept(placed) && isOwned(answer)) {
            answer = disowned(answer);
        }
        parts.written().put(identity, fingerprint + " " + answer.getMetadata().getResourceVersion());
        return json(answer);
    }

    /** One that is to be kept does not go with the instance. */
    private GenericKubernetesResource disowned(GenericKubernetesResource live) {
        Map<String, Object> metadata = Map.of(
                "resourceVersion",
                live.getMetadata().getResourceVersion(),
                "ownerReferences",
                live.getMetadata().getOwnerReferences().stream()
                        .filter(reference -> !reference.getUid().equals(uid()))
                        .toList());
        return resource(json(live))
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        parts.serialization().asJson(Map.of("metadata", metadata)));
    }

    /** Changes this object and no other one, unless it is gone. */
    void mergeSpec(JsonNode live, Map<String, JsonNode> fields) {
        Map<String, Object> metadata = Map.of("uid", live.path("metadata").path("uid"));
        PatchContext patching = new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(parts.controller())
                .build();
        try {
            resource(live).patch(patching, parts.serialization().asJson(Map.of("metadata", metadata, "spec", fields)));
        } catch (KubernetesClientException failure) {
            requireGone(failure);
        }
    }

    /** Or another one has its name by now. */
    private static void requireGone(KubernetesClientException failure) {
        ApiFailure kind = ApiFailure.of(failure);
        if (!(kind instanceof ApiFailure.NotFound) && !(kind instanceof ApiFailure.Conflict)) {
            throw failure;
        }
    }

    /** Takes over what Helm has made, before it is applied: it is the instance's from now on. */
    void takeOver(JsonNode live) {
        PatchContext patching = new PatchContext.Builder()
                .withPatchType(PatchType.JSON)
                .withFieldManager(parts.controller())
                .build();
        resource(live)
                .patch(
                        patching,
                        HelmRelease.handingOver(live, parts.controller(), mark())
                                .toString());
    }

    /** Unless it is gone, or somebody else's. */
    void deleteIfOurs(JsonNode placed) {
        deleteIfOurs(placed, DeletionPropagation.BACKGROUND);
        parts.written().remove(Rendering.identity(placed));
    }

    /** This object and no other one: somebody may make one of its name meanwhile. */
    void deleteIfOurs(JsonNode placed, DeletionPropagation policy) {
        Optional<GenericKubernetesResource> ours = get(placed).filter(this::isOurs);
        if (ours.isEmpty()) {
            return;
        }
        Map<String, Object> options = Map.of(
                "apiVersion",
                "v1",
                "kind",
                "DeleteOptions",
                "propagationPolicy",
                policy.toString(),
                "preconditions",
                Map.of("uid", ours.get().getMetadata().getUid()));
        try {
            context.client().raw(path(placed), "DELETE", options);
        } catch (KubernetesClientException failure) {
            requireGone(failure);
        }
    }

    private String path(JsonNode placed) {
        JsonNode metadata = placed.path("metadata");
        ResourceType type = type(placed);
        String all = type.namespaced() ? type.path(metadata.path("namespace").asText()) : type.path();
        return all + "/" + metadata.path("name").asText();
    }

    /**
     * Deletes one that is noted in a status, by its identity; a kind that is no more has none left. Whose it is is
     * asked for, also where its kind has come to be watched. One that is to be kept by now stays, and is owned by
     * nobody.
     */
    void deleteNoted(String identity) {
        try {
            ObjectNode noted = noted(identity);
            Optional<GenericKubernetesResource> kept = get(noted).filter(live -> InstanceObjects.isKept(json(live)));
            if (kept.isPresent()) {
                kept.filter(this::isOwned).ifPresent(this::disowned);
                parts.written().remove(identity);
            } else {
                deleteIfOurs(noted);
            }
        } catch (Discovery.NotServedException gone) {
            parts.written().remove(identity);
        }
    }

    /** What is known of one by its identity. */
    static ObjectNode noted(String identity) {
        String[] words = identity.split(" ", 3);
        int slash = words[2].indexOf('/');
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", words[0]).put("kind", words[1]);
        object.putObject("metadata")
                .put("namespace", words[2].substring(0, slash))
                .put("name", words[2].substring(slash + 1));
        return object;
    }

    /**
     * All that the instance owns of a kind that is watched no more, by a request; a kind that is no more has none left.
     *
     * @param kind as it is noted in a status
     * @throws KubernetesClientException when the API server refuses to tell
     */
    List<JsonNode> ownedOf(String kind) {
        String[] words = kind.split(" ", 2);
        ObjectNode any = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", words[0])
                .put("kind", words[1]);
        try {
            return context
                    .client()
                    .genericKubernetesResources(type(any).clientContext())
                    .inNamespace(namespace())
                    .withLabel(Marks.RELEASE.name(), primary.getMetadata().getName())
                    .list()
                    .getItems()
                    .stream()
                    .filter(this::isOwned)
                    .map(object -> any.deepCopy().setAll((ObjectNode) json(object)))
                    .map(JsonNode.class::cast)
                    .toList();
        } catch (NotServedException gone) {
            return List.of();
        }
    }

    boolean isOurs(GenericKubernetesResource live) {
        return isMarked(live) || isOwned(live);
    }

    boolean isMarked(GenericKubernetesResource live) {
        return Marks.INSTANCE.of(live).filter(mark()::equals).isPresent();
    }

    boolean isOwned(GenericKubernetesResource live) {
        return live.getMetadata().getOwnerReferences().stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                .map(OwnerReference::getUid)
                .anyMatch(uid()::equals);
    }

    private String mark() {
        return parts.controller() + "/" + primary.getMetadata().getNamespace() + "/"
                + primary.getMetadata().getName();
    }

    private Resource<GenericKubernetesResource> resource(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        ResourceType type = type(object);
        var all = context.client().genericKubernetesResources(type.clientContext());
        return type.namespaced()
                ? all.inNamespace(metadata.path("namespace").asText())
                        .withName(metadata.path("name").asText())
                : all.withName(metadata.path("name").asText());
    }

    ResourceType type(JsonNode object) {
        Class<? extends GenericKubernetesResource> watched = parts.watched().get(InstanceObjects.kind(object));
        return watched == null
                ? parts.discovery()
                        .find(
                                object.path("apiVersion").asText(),
                                object.path("kind").asText(),
                                context.client())
                : ResourceType.of(watched);
    }

    private String namespace() {
        return primary.getMetadata().getNamespace();
    }

    private String uid() {
        return primary.getMetadata().getUid();
    }

    private JsonNode json(Object object) {
        return parts.serialization().convertValue(object, JsonNode.class);
    }
}
