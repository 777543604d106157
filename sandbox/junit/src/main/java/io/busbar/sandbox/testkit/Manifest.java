package io.busbar.sandbox.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An object of a file that a test class names.
 *
 * <p>Any thread, one at a time.
 *
 * @param place file and document, for messages
 */
record Manifest(String place, ObjectNode object) {

    private static final YAMLMapper YAML = YAMLMapper.builder().build();

    String kind() {
        return object.path("kind").asText();
    }

    String apiVersion() {
        return object.path("apiVersion").asText();
    }

    String name() {
        return object.path("metadata").path("name").asText();
    }

    boolean isDefinition() {
        return kind().equals("CustomResourceDefinition") && apiVersion().startsWith("apiextensions.k8s.io/");
    }

    IllegalStateException problem(String what) {
        return new IllegalStateException(place + ", " + kind() + " " + name() + ": " + what);
    }

    /**
     * All objects of a resource of the class path, a file, or the files {@code .yaml}, {@code .yml} and {@code .json}
     * of a folder.
     *
     * @param location as a resource, of the class's package where it doesn't begin with a slash, or else of the root;
     *     as a path
     *     otherwise
     * @throws IllegalStateException that names the file, when anything is wrong with it
     */
    static List<Manifest> read(String location, Class<?> test) {
        List<Manifest> found = new ArrayList<>();
        URL resource = resource(location, test);
        try {
            if (resource == null || resource.getProtocol().equals("file")) {
                Path path = resource == null ? Path.of(location) : Path.of(uri(resource));
                for (Path file : files(location, path)) {
                    try (InputStream in = Files.newInputStream(file)) {
                        read(Files.isDirectory(path) ? location + ": " + file.getFileName() : location, in, found);
                    }
                }
            } else {
                try (InputStream in = resource.openStream()) {
                    read(location, in, found);
                }
            }
        } catch (IOException failure) {
            throw new IllegalStateException(location + " cannot be read: " + failure, failure);
        }
        if (found.isEmpty()) {
            throw new IllegalStateException(
                    location + " has no objects: it is empty, or a folder without files that end with"
                            + " .yaml, .yml or .json");
        }
        return found;
    }

    private static @Nullable URL resource(String location, Class<?> test) {
        URL near = test.getResource(location);
        return near == null ? test.getClassLoader().getResource(location) : near;
    }

    private static URI uri(URL url) {
        try {
            return url.toURI();
        } catch (URISyntaxException odd) {
            throw new IllegalStateException(url + " is no place in a file system", odd);
        }
    }

    private static List<Path> files(String location, Path path) throws IOException {
        if (Files.isRegularFile(path)) {
            return List.of(path);
        }
        if (!Files.isDirectory(path)) {
            throw new IllegalStateException(location + " is neither a resource of the class path nor a file or folder ("
                    + path.toAbsolutePath() + ")");
        }
        try (Stream<Path> all = Files.list(path)) {
            return all.filter(file -> file.toString().matches(".*\\.(ya?ml|json)"))
                    .sorted()
                    .toList();
        }
    }

    private static void read(String place, InputStream in, List<Manifest> into) {
        int document = 0;
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(in)) {
            while (documents.hasNextValue()) {
                JsonNode node = documents.nextValue();
                document++;
                String where = place + ", document " + document;
                if (node.path("kind").asText().equals("List")) {
                    node.path("items").forEach(item -> add(where, item, into));
                } else if (node != null && !node.isNull()) {
                    add(where, node, into);
                }
            }
        } catch (IOException failure) {
            throw new IllegalStateException(
                    place + ", document " + (document + 1) + " is no YAML: " + failure.getMessage(), failure);
        }
    }

    private static void add(String where, JsonNode node, List<Manifest> into) {
        for (String field : List.of("/apiVersion", "/kind", "/metadata/name")) {
            if (node.at(field).asText().isEmpty()) {
                throw new IllegalStateException(where + " is no object of Kubernetes: it has no "
                        + field.substring(1).replace('/', '.'));
            }
        }
        into.add(new Manifest(where, (ObjectNode) node));
    }
}
