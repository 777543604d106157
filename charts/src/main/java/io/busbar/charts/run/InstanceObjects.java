package io.busbar.charts.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.charts.instance.ChartInstance;
import io.busbar.charts.render.Lookup;
import io.busbar.charts.render.Lookups;
import io.busbar.charts.render.Rendering;
import io.busbar.charts.run.Discovery.NotServedException;
import io.busbar.common.ResourceType;
import io.busbar.common.api.ApiFailure;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;

/**
 * The objects of an instance, found and written in two ways. Those of a watched kind, in the instance's own namespace,
 * are read from the stores. All others are <i>loose</i>: they are read by a request each time, and known by an
 * annotation.
 *
 * <p>For the thread of one reconcile.
 */
final class InstanceObjects<P extends ChartInstance> implements Lookups {

    private final Parts parts;
    private final ReconcileContext<P> context;
    private final P primary;
    private final Map<String, JsonNode> owned = new HashMap<>();
    private boolean hasLookedUp;

    /**
     * What the instances of a kind have in common. Any thread.
     *
     * @param controller its name, which writes
     * @param watched model classes, by apiVersion and kind
     * @param written what was written of loose objects, and the version that came of it; by identity
     */
    record Parts(
            String controller,
            Map<String, Class<? extends GenericKubernetesResource>> watched,
            Discovery discovery,
            KubernetesSerialization serialization,
            Map<String, String> written) {

        Parts(
                String controller,
                Map<String, Class<? extends GenericKubernetesResource>> watched,
                KubernetesSerialization serialization) {
            this(controller, Map.copyOf(watched), new Discovery(), serialization, new ConcurrentHashMap<>());
        }
    }

    InstanceObjects(Parts parts, ReconcileContext<P> context, P primary) {
        this.parts = parts;
        this.context = context;
        this.primary = primary;
        parts.watched()
                .values()
                .forEach(type -> context.owned(type).forEach(object -> {
                    JsonNode json = json(object);
                    owned.put(Rendering.identity(json), json);
                }));
    }

    /** All that the instance owns, and is watched. */
    List<JsonNode> owned() {
        return List.copyOf(owned.values());
    }

    /**
     * What a chart looks up. What the instance owns is read from the stores where it is watched; all else is asked for.
     *
     * @throws NotServedException when there is no such kind
     * @throws KubernetesClientException when the API server refuses to tell
     */
    @Override
    public Optional<JsonNode> find(Lookup asked) {
        ObjectNode wanted = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", asked.apiVersion())
                .put("kind", asked.kind());
        wanted.putObject("metadata").put("namespace", asked.namespace()).put("name", asked.name());
        JsonNode own = owned.get(Rendering.identity(wanted));
        if (own != null) {
            return Optional.of(own);
        }
        hasLookedUp = true;
        if (asked.name().isEmpty()) {
            return Optional.of(list(type(wanted), asked.namespace()));
        }
        boolean isNowhere = type(wanted).namespaced() && asked.namespace().isEmpty();
        return isNowhere
                ? Optional.empty()
                : Optional.ofNullable(resource(wanted).get()).map(this::withoutManagers);
    }

    @Override
    public boolean isOwn(JsonNode found) {
        return isOurs(parts.serialization().convertValue(found, GenericKubernetesResource.class));
    }

    /** Without the version of the list, which is another one each time. */
    private JsonNode list(ResourceType type, String namespace) {
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

    /** Whether the chart has looked up what no watch tells of. */
    boolean hasLookedUp() {
        return hasLookedUp;
    }

    /** As it is to be written: in a namespace, where its kind is, and with a label. */
    ObjectNode placed(ObjectNode rendered) {
        ObjectNode object = rendered.deepCopy();
        ObjectNode metadata = object.withObjectProperty("metadata");
        if (!type(object).namespaced()) {
            metadata.remove("namespace");
        } else if (metadata.path("namespace").asText().isEmpty()) {
            metadata.put("namespace", primary.getMetadata().getNamespace());
        }
        metadata.withObjectProperty("labels")
                .put(Marks.RELEASE.name(), primary.getMetadata().getName());
        metadata.withObjectProperty("annotations").put(Marks.RENDERED.name(), fingerprint(rendered));
        return object;
    }

    String uid() {
        return primary.getMetadata().getUid();
    }

    String namespace() {
        return primary.getMetadata().getNamespace();
    }

    /** Whether it is read by requests. */
    boolean isLoose(JsonNode placed) {
        return !parts.watched().containsKey(kind(placed))
                || !placed.path("metadata")
                        .path("namespace")
                        .asText()
                        .equals(primary.getMetadata().getNamespace())
                || isKept(placed);
    }

    /** Whether it stays when the instance goes. */
    static boolean isKept(JsonNode object) {
        return object.path("metadata")
                .path("annotations")
                .path(Marks.KEEP.name())
                .asText()
                .equals("keep");
    }

    /** As it is in the cluster, if it is the instance's. */
    Optional<JsonNode> find(ObjectNode placed) {
        return isLoose(placed)
                ? Optional.ofNullable(resource(placed).get())
                        .filter(this::isOurs)
                        .map(this::json)
                : Optional.ofNullable(owned.get(Rendering.identity(placed)));
    }

    /**
     * Sees to it that it is so.
     *
     * @throws ObjectNotOwnedException when there is one of that name that is somebody else's
     */
    JsonNode apply(ObjectNode placed) {
        if (isLoose(placed)) {
            return applyLoose(placed);
        }
        GenericKubernetesResource desired =
                parts.serialization().convertValue(placed, parts.watched().get(kind(placed)));
        try {
            return json(context.apply(desired));
        } catch (ObjectNotOwnedException notOwned) {
            // It was to be kept until now, and so nobody owns it; or Helm has made it.
            GenericKubernetesResource live = resource(placed).get();
            if (live == null || !(isMarked(live) || takeOver(live))) {
                throw notOwned;
            }
            return json(context.apply(desired, Apply.standard().adopting()));
        }
    }

    /**
     * Takes over what Helm has made for a release of the instance's name, before it is applied.
     *
     * @return whether there is such an object
     */
    boolean takeOver(ObjectNode rendered) {
        try {
            GenericKubernetesResource live = resource(placed(rendered)).get();
            return live != null && takeOver(live);
        } catch (NotServedException notYet) {
            return false;
        }
    }

    private boolean takeOver(GenericKubernetesResource live) {
        JsonNode object = json(live);
        boolean isOthers = live.getMetadata().getOwnerReferences().stream()
                .anyMatch(reference -> Boolean.TRUE.equals(reference.getController())
                        && !reference.getUid().equals(uid()));
        if (isOthers || !new HelmRelease(primary.getMetadata().getName(), namespace()).has(object)) {
            return false;
        }
        PatchContext patching = new PatchContext.Builder()
                .withPatchType(PatchType.JSON)
                .withFieldManager(parts.controller())
                .build();
        HelmRelease.handingOver(object, parts.controller())
                .ifPresent(patch -> resource(object).patch(patching, patch.toString()));
        return true;
    }

    /** One that the instance owns, and that its label does not tell of: operator-sdk's Helm operator has made it. */
    Optional<JsonNode> unlabelled(ObjectNode placed) {
        return isLoose(placed)
                ? Optional.empty()
                : Optional.ofNullable(resource(placed).get())
                        .filter(this::isOwned)
                        .map(this::json);
    }

    /** Deletes it, unless it is gone, or somebody else's. */
    void delete(JsonNode placed) {
        if (isLoose(placed)) {
            deleteIfOurs(placed);
        } else if (!placed.path("metadata").has("deletionTimestamp")) {
            context.delete(
                    parts.serialization().convertValue(placed, parts.watched().get(kind(placed))));
        }
    }

    /** The same, and it stays until all that it owns has gone. */
    void deleteWithItsOwn(JsonNode live) {
        deleteIfOurs(live, DeletionPropagation.FOREGROUND);
    }

    private void deleteIfOurs(JsonNode placed) {
        deleteIfOurs(placed, DeletionPropagation.BACKGROUND);
        parts.written().remove(Rendering.identity(placed));
    }

    /** This object and no other one: somebody may make one of its name meanwhile. */
    private void deleteIfOurs(JsonNode placed, DeletionPropagation policy) {
        Optional<GenericKubernetesResource> ours =
                Optional.ofNullable(resource(placed).get()).filter(this::isOurs);
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
            ApiFailure kind = ApiFailure.of(failure);
            if (!(kind instanceof ApiFailure.NotFound) && !(kind instanceof ApiFailure.Conflict)) {
                throw failure;
            }
        }
    }

    private String path(JsonNode placed) {
        JsonNode metadata = placed.path("metadata");
        ResourceType type = type(placed);
        String all = type.namespaced() ? type.path(metadata.path("namespace").asText()) : type.path();
        return all + "/" + metadata.path("name").asText();
    }

    /**
     * Deletes one that is noted in a status, by its identity; a kind that is no more has none left. Whose it is is asked
     * for, also where its kind has come to be watched. One that is to be kept by now stays, and is owned by nobody.
     */
    void deleteNoted(String identity) {
        try {
            ObjectNode noted = noted(identity);
            Optional<GenericKubernetesResource> kept =
                    Optional.ofNullable(resource(noted).get()).filter(live -> isKept(json(live)));
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

    private ObjectNode noted(String identity) {
        String[] words = identity.split(" ", 3);
        int slash = words[2].indexOf('/');
        ObjectNode object = parts.serialization().convertValue(Map.of(), ObjectNode.class);
        object.put("apiVersion", words[0]).put("kind", words[1]);
        object.putObject("metadata")
                .put("namespace", words[2].substring(0, slash))
                .put("name", words[2].substring(slash + 1));
        return object;
    }

    /** Those of a list that are loose and go with the instance, as they are noted in its status. */
    List<String> noted(List<ObjectNode> placed) {
        List<String> noted = new ArrayList<>();
        placed.stream()
                .filter(object -> isLoose(object) && !isKept(object))
                .forEach(object -> noted.add(Rendering.identity(object)));
        return noted;
    }

    /** The kinds of those of a list that are not loose, as they are noted in its status. */
    List<String> kinds(List<ObjectNode> placed) {
        return placed.stream()
                .filter(object -> !isLoose(object))
                .map(InstanceObjects::kind)
                .distinct()
                .sorted()
                .toList();
    }

    boolean isWatched(String kind) {
        return parts.watched().containsKey(kind);
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

    private JsonNode applyLoose(ObjectNode placed) {
        ObjectNode desired = placed.deepCopy();
        ObjectNode metadata = desired.withObjectProperty("metadata");
        metadata.withObjectProperty("annotations").put(Marks.INSTANCE.name(), mark());
        boolean near =
                metadata.path("namespace").asText().equals(primary.getMetadata().getNamespace());
        if (near && !isKept(placed)) {
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
        if (live != null && !isOurs(live) && !takeOver(live)) {
            throw ObjectNotOwnedException.of(live);
        }
        String identity = Rendering.identity(desired);
        String fingerprint = fingerprint(desired);
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
        if (isKept(placed) && isOwned(answer)) {
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

    private static String fingerprint(ObjectNode desired) {
        CRC32 sum = new CRC32();
        sum.update(desired.toString().getBytes(UTF_8));
        return Long.toHexString(sum.getValue());
    }

    private boolean isOurs(GenericKubernetesResource live) {
        return isMarked(live) || isOwned(live);
    }

    private boolean isMarked(GenericKubernetesResource live) {
        return Marks.INSTANCE.of(live).filter(mark()::equals).isPresent();
    }

    private boolean isOwned(GenericKubernetesResource live) {
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

    private ResourceType type(JsonNode object) {
        Class<? extends GenericKubernetesResource> watched = parts.watched().get(kind(object));
        return watched == null
                ? parts.discovery()
                        .find(
                                object.path("apiVersion").asText(),
                                object.path("kind").asText(),
                                context.client())
                : ResourceType.of(watched);
    }

    /** By which watched kinds are known. */
    static String kind(JsonNode object) {
        return kind(object.path("apiVersion").asText(), object.path("kind").asText());
    }

    static String kind(String apiVersion, String kind) {
        return apiVersion + " " + kind;
    }

    private JsonNode json(Object object) {
        return parts.serialization().convertValue(object, JsonNode.class);
    }
}
