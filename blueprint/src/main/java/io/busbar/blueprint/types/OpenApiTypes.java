package io.busbar.blueprint.types;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.source.SourceReader;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import io.fabric8.kubernetes.api.Pluralize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The kinds of OpenAPI v3 documents, as an API server has them below {@code /openapi/v3}, and of
 * CustomResourceDefinitions.
 *
 * <p>Any thread, once they are read.
 */
public final class OpenApiTypes implements Types {

    private static final Pattern COLLECTION =
            Pattern.compile("/(?:api|apis/[^/]+)/[^/]+/(?<scope>namespaces/\\{namespace}/)?(?<plural>[^/{]+)");

    private record Key(String apiVersion, String kind) {}

    /** A path that lists a kind. */
    private record Collected(String plural, boolean namespaced) {}

    private final Shape metadata;
    private final Map<Key, KindType> kinds = new HashMap<>();

    private OpenApiTypes(Shape metadata) {
        this.metadata = metadata;
    }

    /**
     * Reads all files of a folder that end in .json, .yaml or .yml. What describes no kind is overlooked.
     *
     * @param metadata of objects whose definition says nothing of it
     * @throws IOException for what cannot be read, with the name of the file
     */
    public static OpenApiTypes read(Path folder, Shape metadata) throws IOException {
        return of(texts(folder), metadata);
    }

    /**
     * The texts of those files, by their paths.
     *
     * @throws IOException for what cannot be read
     */
    public static SortedMap<String, String> texts(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().matches(".*\\.(json|ya?ml)"))
                    .toList();
        }
        SortedMap<String, String> texts = new TreeMap<>();
        for (Path file : files) {
            texts.put(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
        }
        return texts;
    }

    /**
     * The kinds of texts, by the names of their files.
     *
     * @throws IOException for one that is no YAML, with the name of the file
     */
    public static OpenApiTypes of(SortedMap<String, String> texts, Shape metadata) throws IOException {
        OpenApiTypes types = new OpenApiTypes(metadata);
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Problems problems = new Problems();
            List<SourceNode> documents = SourceReader.read(text.getValue(), problems);
            if (!problems.isEmpty()) {
                throw new IOException(text.getKey() + ": " + problems.list().get(0));
            }
            documents.forEach(document -> types.add(document.json()));
        }
        return types;
    }

    /** The kinds of one document. */
    public static OpenApiTypes of(JsonNode document, Shape metadata) {
        OpenApiTypes types = new OpenApiTypes(metadata);
        types.add(document);
        return types;
    }

    @Override
    public Optional<KindType> find(String apiVersion, String kind) {
        return Optional.ofNullable(kinds.get(new Key(apiVersion, kind)));
    }

    private void add(JsonNode document) {
        if (document.path("kind").asText().equals("CustomResourceDefinition")) {
            addDefinition(document.path("spec"));
            return;
        }
        if (document.path("kind").asText().equals("List")) {
            document.path("items").forEach(this::add);
            return;
        }
        Map<Key, Collected> paths = paths(document.path("paths"));
        JsonNode components = document.path("components").path("schemas");
        SchemaShapes shapes = SchemaShapes.ofDocument(components);
        components.properties().forEach(component -> {
            for (JsonNode named : component.getValue().path("x-kubernetes-group-version-kind")) {
                Key key = key(named);
                Collected collected = paths.get(key);
                Shape shape = shapes.shape(component.getValue(), component.getKey());
                kinds.put(
                        key,
                        collected == null
                                ? new KindType(shape, plural(key.kind()), true)
                                : new KindType(shape, collected.plural(), collected.namespaced()));
            }
        });
    }

    private static Map<Key, Collected> paths(JsonNode paths) {
        Map<Key, Collected> found = new HashMap<>();
        paths.properties().forEach(path -> {
            Matcher collection = COLLECTION.matcher(path.getKey());
            JsonNode named = path.getValue().path("post").path("x-kubernetes-group-version-kind");
            if (collection.matches() && named.isObject()) {
                boolean namespaced = collection.group("scope") != null;
                found.put(key(named), new Collected(collection.group("plural"), namespaced));
            }
        });
        return found;
    }

    private static Key key(JsonNode named) {
        String group = named.path("group").asText();
        String version = named.path("version").asText();
        return new Key(
                group.isEmpty() ? version : group + "/" + version,
                named.path("kind").asText());
    }

    private static String plural(String kind) {
        return Pluralize.toPlural(kind.toLowerCase(Locale.ROOT));
    }

    private void addDefinition(JsonNode spec) {
        String group = spec.path("group").asText();
        String kind = spec.path("names").path("kind").asText();
        String plural = spec.path("names").path("plural").asText();
        boolean namespaced = !spec.path("scope").asText().equals("Cluster");
        SchemaShapes shapes = SchemaShapes.ofDefinition();
        for (JsonNode version : spec.path("versions")) {
            String apiVersion = group + "/" + version.path("name").asText();
            Shape shape = shapes.shape(
                    version.path("schema").path("openAPIV3Schema"), apiVersion.replace('/', '.') + "." + kind);
            kinds.put(new Key(apiVersion, kind), new KindType(whole(shape), plural, namespaced));
        }
    }

    private Shape whole(Shape shape) {
        if (!(shape instanceof ObjectOf object)) {
            return shape;
        }
        return new ObjectOf(object.name(), () -> {
            Map<String, Shape> fields = new LinkedHashMap<>(object.fields());
            fields.put("apiVersion", Scalar.TEXT);
            fields.put("kind", Scalar.TEXT);
            fields.put("metadata", metadata);
            return fields;
        });
    }
}
