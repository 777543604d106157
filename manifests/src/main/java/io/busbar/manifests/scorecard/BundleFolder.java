package io.busbar.manifests.scorecard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.yaml.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A bundle for the Operator Lifecycle Manager, as it lies in a folder: {@code manifests}, {@code metadata}, and
 * {@code tests} if there are any.
 *
 * <p>Immutable. What can't be read is told by {@link #problems}, not thrown.
 */
public final class BundleFolder {

    static final String MANIFESTS = "operators.operatorframework.io.bundle.manifests.v1";

    private static final String SERVICE_VERSION = "ClusterServiceVersion";
    private static final String DEFINITION = "CustomResourceDefinition";
    private static final String EXAMPLES = "alm-examples";

    private final Path root;
    private final List<String> problems = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final List<ObjectNode> objects = new ArrayList<>();
    private final List<ObjectNode> examples = new ArrayList<>();
    private JsonNode annotations = MissingNode.getInstance();
    private List<JsonNode> dependencies = List.of();
    private Optional<String> unreadableExamples = Optional.empty();

    private BundleFolder(Path root) {
        this.root = root;
    }

    /**
     * Reads one.
     *
     * @throws UncheckedIOException when files that are there can't be read
     */
    public static BundleFolder read(Path root) {
        BundleFolder bundle = new BundleFolder(root);
        bundle.readMetadata();
        bundle.readManifests();
        bundle.readExamples();
        return bundle;
    }

    private void readMetadata() {
        for (Path file : files("metadata")) {
            for (ObjectNode document : documents(file)) {
                if (document.path("annotations").isObject() && annotations.isMissingNode()) {
                    annotations = document.get("annotations");
                }
                if (document.path("dependencies").isArray()) {
                    dependencies = list(document.get("dependencies"));
                }
            }
        }
    }

    private void readManifests() {
        for (Path file : files(annotations.path(MANIFESTS).asText("manifests"))) {
            List<ObjectNode> documents = documents(file);
            if (documents.size() > 1) {
                remarks.add(
                        root.relativize(file) + " has " + documents.size() + " objects: OLM reads the first one alone");
            }
            documents.stream().limit(1).forEach(objects::add);
        }
        if (of(SERVICE_VERSION).size() != 1) {
            problems.add("one ClusterServiceVersion is needed, "
                    + of(SERVICE_VERSION).size() + " found in "
                    + annotations.path(MANIFESTS).asText("manifests"));
        }
    }

    private void readExamples() {
        String text = serviceVersion()
                .map(version ->
                        version.at("/metadata/annotations").path(EXAMPLES).asText(""))
                .orElse("");
        if (text.isBlank()) {
            return;
        }
        try {
            JsonNode read = Yaml.read(text);
            if (!read.isArray()) {
                throw new IllegalArgumentException("no list of objects");
            }
            list(read).stream()
                    .filter(JsonNode::isObject)
                    .map(ObjectNode.class::cast)
                    .forEach(examples::add);
        } catch (RuntimeException none) { // of many kinds, those of the YAML parser among them
            unreadableExamples = Optional.of("failed to parse alm-examples annotation: " + firstLine(none));
        }
    }

    private List<Path> files(String folder) {
        Path within = root.resolve(folder).normalize();
        if (!Files.isDirectory(within)) {
            problems.add("Unable to locate " + folder.replaceFirst("/$", "") + " directory");
            return List.of();
        }
        try (Stream<Path> files = Files.list(within)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private List<ObjectNode> documents(Path file) {
        try {
            return Yaml.readAll(Files.readString(file));
        } catch (CharacterCodingException binary) {
            problems.add(root.relativize(file) + " is no text");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (RuntimeException malformed) { // of many kinds, those of the YAML parser among them
            problems.add(root.relativize(file) + " is no YAML: " + firstLine(malformed));
        }
        return List.of();
    }

    private static String firstLine(Throwable thrown) {
        String message = String.valueOf(
                thrown.getCause() == null
                        ? thrown.getMessage()
                        : thrown.getCause().getMessage());
        return message.strip().replaceAll("\\s+", " ");
    }

    private List<ObjectNode> of(String kind) {
        return objects.stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .toList();
    }

    /** The first one that there is; {@link #problems} tells if it is not the only one. */
    public Optional<JsonNode> serviceVersion() {
        return of(SERVICE_VERSION).stream().<JsonNode>map(version -> version).findFirst();
    }

    /** All that are in the manifests. */
    public List<ObjectNode> definitions() {
        return of(DEFINITION);
    }

    /** The custom resources that the ClusterServiceVersion offers to start from; none where they can't be read. */
    public List<ObjectNode> examples() {
        return List.copyOf(examples);
    }

    /** What the ClusterServiceVersion says of the kinds that it brings. */
    List<JsonNode> owned() {
        return serviceVersion()
                .map(version -> list(version.at("/spec/customresourcedefinitions/owned")))
                .orElse(List.of());
    }

    /** What it says of the kind of a custom resource, best in that one's version. */
    Optional<JsonNode> owned(JsonNode example) {
        List<JsonNode> ofKind = owned().stream()
                .filter(owned -> owned.path("kind").equals(example.path("kind")))
                .toList();
        String version = example.path("apiVersion").asText().replaceFirst(".*/", "");
        return ofKind.stream()
                .filter(owned -> owned.path("version").asText().equals(version))
                .findFirst()
                .or(() -> ofKind.stream().findFirst());
    }

    /** Why the examples can't be read, if they can't. */
    Optional<String> unreadableExamples() {
        return unreadableExamples;
    }

    List<ObjectNode> objects() {
        return objects;
    }

    /** Of the metadata; missing if there are none. */
    JsonNode annotations() {
        return annotations;
    }

    List<JsonNode> dependencies() {
        return dependencies;
    }

    /** What keeps it from being read whole. */
    List<String> problems() {
        return problems;
    }

    /** What is odd about its files. */
    List<String> remarks() {
        return remarks;
    }

    /** The tests that operator-sdk would run on it, if it says which. */
    List<JsonNode> configuredTests() {
        Path configuration = root.resolve(annotations
                        .path("operators.operatorframework.io.test.config.v1")
                        .asText("tests/scorecard"))
                .resolve("config.yaml");
        if (!Files.isRegularFile(configuration)) {
            return List.of();
        }
        return documents(configuration).stream()
                .flatMap(document -> list(document.path("stages")).stream())
                .flatMap(stage -> list(stage.path("tests")).stream())
                .toList();
    }

    /** The names of what the ClusterServiceVersion has OLM run. */
    public List<String> deployments() {
        return serviceVersion()
                .map(version -> texts(version.at("/spec/install/spec/deployments"), "name"))
                .orElse(List.of());
    }

    /** A field of each item. */
    static List<String> texts(JsonNode array, String field) {
        return list(array).stream().map(item -> item.path(field).asText()).toList();
    }

    static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    /** The schema of a version of a definition, wherever it stands; missing if there is none. */
    static JsonNode schema(JsonNode definition, JsonNode version) {
        JsonNode own = version.at("/schema/openAPIV3Schema");
        return own.isMissingNode() ? definition.at("/spec/validation/openAPIV3Schema") : own;
    }

    /** Of a definition; in v1beta1 one may be all there is. */
    static List<JsonNode> versions(ObjectNode definition) {
        List<JsonNode> versions = list(definition.at("/spec/versions"));
        return versions.isEmpty() && definition.at("/spec/version").isTextual()
                ? List.of(definition
                        .objectNode()
                        .put("name", definition.at("/spec/version").asText())
                        .put("served", true)
                        .put("storage", true))
                : versions;
    }
}
