package io.busbar.charts.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.charts.instance.ChartInstance;
import io.busbar.charts.render.Lookup;
import io.busbar.charts.render.Lookups;
import io.busbar.charts.render.Rendering;
import io.busbar.charts.run.Discovery.NotServedException;
import io.busbar.common.ResourceType;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
    private final LiveObjects<P> live;
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
        this.live = new LiveObjects<>(parts, context, primary);
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
            return Optional.of(live.list(live.type(wanted), asked.namespace()));
        }
        boolean isNowhere = live.type(wanted).namespaced() && asked.namespace().isEmpty();
        return isNowhere ? Optional.empty() : live.found(wanted);
    }

    @Override
    public boolean isOwn(JsonNode found) {
        return live.isOurs(parts.serialization().convertValue(found, GenericKubernetesResource.class));
    }

    /** Whether the chart has looked up what no watch tells of. */
    boolean hasLookedUp() {
        return hasLookedUp;
    }

    /** As it is to be written: in a namespace, where its kind is, and with a label. */
    ObjectNode placed(ObjectNode rendered) {
        ObjectNode object = rendered.deepCopy();
        ObjectNode metadata = object.withObjectProperty("metadata");
        if (!live.type(object).namespaced()) {
            metadata.remove("namespace");
        } else if (metadata.path("namespace").asText().isEmpty()) {
            metadata.put("namespace", primary.getMetadata().getNamespace());
        }
        metadata.withObjectProperty("labels")
                .put(Marks.RELEASE.name(), primary.getMetadata().getName());
        metadata.withObjectProperty("annotations").put(Marks.RENDERED.name(), fingerprint(rendered));
        return object;
    }

    /** The same of the identity of what is looked up: also where its kind is in no namespace, one may be named. */
    String placed(String identity) {
        ObjectNode object = LiveObjects.noted(identity);
        try {
            if (!live.type(object).namespaced()) {
                object.withObjectProperty("metadata").put("namespace", "");
            }
        } catch (NotServedException gone) {
            return identity;
        }
        return Rendering.identity(object);
    }

    /** As the API server has them now. */
    LiveObjects<P> live() {
        return live;
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
                ? live.get(placed).filter(live::isOurs).map(this::json)
                : Optional.ofNullable(owned.get(Rendering.identity(placed)));
    }

    /**
     * Sees to it that it is so.
     *
     * @throws ObjectNotOwnedException when there is one of that name that is somebody else's
     */
    JsonNode apply(ObjectNode placed) {
        if (isLoose(placed)) {
            return live.apply(placed);
        }
        GenericKubernetesResource desired =
                parts.serialization().convertValue(placed, parts.watched().get(kind(placed)));
        try {
            return json(context.apply(desired));
        } catch (ObjectNotOwnedException notOwned) {
            // It was to be kept until now, and so nobody owns it; or it is taken over from Helm.
            if (live.get(placed).filter(live::isMarked).isEmpty()) {
                throw notOwned;
            }
            return json(context.apply(desired, Apply.standard().adopting()));
        }
    }

    /**
     * Takes over what Helm has made for a release of the instance's name, before it is applied.
     *
     * @param chart its name
     * @return how many objects, without those that stay when a release of Helm goes: they need not be of one that is
     *     there
     */
    long takeOver(List<ObjectNode> rendered, String chart) {
        ResourceType type = ResourceType.of(primary.getClass());
        HelmRelease release = new HelmRelease(
                primary.getMetadata().getName(), namespace(), type.kind() + "." + type.group(), uid(), chart);
        List<JsonNode> found = rendered.stream()
                .flatMap(object -> there(object).stream())
                .filter(release::has)
                .toList();
        if (found.stream().noneMatch(release::isShownBy)) {
            return 0;
        }
        found.forEach(live::takeOver);
        return found.stream().filter(object -> !isKept(object)).count();
    }

    private Optional<JsonNode> there(ObjectNode rendered) {
        try {
            return live.get(placed(rendered)).map(this::json);
        } catch (NotServedException notYet) {
            return Optional.empty();
        }
    }

    /** One that the instance owns, and that its label does not tell of: operator-sdk's Helm operator has made it. */
    Optional<JsonNode> unlabelled(ObjectNode placed) {
        return isLoose(placed)
                ? Optional.empty()
                : live.get(placed).filter(live::isOwned).map(this::json);
    }

    /** Deletes it, unless it is gone, or somebody else's. */
    void delete(JsonNode placed) {
        if (isLoose(placed)) {
            live.deleteIfOurs(placed);
        } else if (!placed.path("metadata").has("deletionTimestamp")) {
            context.delete(
                    parts.serialization().convertValue(placed, parts.watched().get(kind(placed))));
        }
    }

    /** The same, and it stays until all that it owns has gone. */
    void deleteWithItsOwn(JsonNode object) {
        live.deleteIfOurs(object, DeletionPropagation.FOREGROUND);
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

    static String fingerprint(ObjectNode desired) {
        CRC32 sum = new CRC32();
        sum.update(desired.toString().getBytes(UTF_8));
        return Long.toHexString(sum.getValue());
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
