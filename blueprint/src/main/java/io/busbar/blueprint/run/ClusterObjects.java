package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.check.LabelSelectors;
import io.busbar.blueprint.render.Live;
import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the stores of one reconcile show. That an instance reads an object is noted before that is looked at: a change
 * that comes after the look finds who has read it.
 *
 * <p>One thread.
 */
final class ClusterObjects implements Live {

    private final ReconcileContext<?> context;
    private final Reads reads;
    private final List<JsonNode> references = new ArrayList<>();
    /** By apiVersion and kind, of what is external. */
    private final Map<String, Class<? extends GenericKubernetesResource>> read;

    private final Function<Object, JsonNode> json;
    private final Map<String, GenericKubernetesResource> own = new HashMap<>();

    ClusterObjects(
            ReconcileContext<?> context,
            List<GenericKubernetesResource> own,
            Map<String, Class<? extends GenericKubernetesResource>> read,
            Reads reads,
            Function<Object, JsonNode> json) {
        this.context = context;
        this.reads = reads;
        this.read = read;
        this.json = json;
        for (GenericKubernetesResource object : own) {
            this.own.put(identity(object), object);
        }
    }

    /** Within an instance, which has objects in its own namespace, or is in none. */
    static String identity(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return kind(object) + " " + metadata.path("namespace").asText() + "/"
                + metadata.path("name").asText();
    }

    static String identity(GenericKubernetesResource object) {
        ObjectMeta metadata = object.getMetadata();
        return kind(object.getApiVersion(), object.getKind()) + " "
                + Objects.requireNonNullElse(metadata.getNamespace(), "") + "/" + metadata.getName();
    }

    static String kind(JsonNode object) {
        return kind(object.path("apiVersion").asText(), object.path("kind").asText());
    }

    static String kind(String apiVersion, String kind) {
        return apiVersion + " " + kind;
    }

    @Override
    public Optional<JsonNode> applied(JsonNode object) {
        return Optional.ofNullable(own.get(identity(object))).map(json);
    }

    @Override
    public Optional<JsonNode> external(JsonNode reference) {
        JsonNode metadata = reference.path("metadata");
        String namespace = metadata.path("namespace").asText();
        String name = metadata.path("name").asText();
        return lister(reference)
                .get(namespace.isEmpty() ? ObjectKey.of(name) : ObjectKey.of(namespace, name))
                .map(json);
    }

    @Override
    public List<JsonNode> selected(JsonNode reference) {
        JsonNode metadata = reference.path("metadata");
        String namespace = metadata.path("namespace").asText();
        Lister<? extends GenericKubernetesResource> lister = lister(reference);
        return (namespace.isEmpty() ? lister.list() : lister.list(namespace))
                .stream()
                        .map(json)
                        .filter(object -> LabelSelectors.selects(
                                metadata.path("selector"),
                                object.path("metadata").path("labels")))
                        .toList();
    }

    /** That were looked at, found or not. */
    List<JsonNode> references() {
        return references;
    }

    private Lister<? extends GenericKubernetesResource> lister(JsonNode reference) {
        references.add(reference);
        reads.add(context.key(), reference);
        Class<? extends GenericKubernetesResource> type = read.get(kind(reference));
        if (type == null) {
            throw new IllegalStateException("not watched: " + kind(reference));
        }
        return context.lister(type);
    }
}
