package io.busbar.sandbox.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What Kubernetes 1.36.2 publishes of its built-in kinds, as it is in the test resources. One thread. */
public final class Published {

    private static final Path FOLDER = Path.of("src/test/resources/kubernetes-1.36.2");

    private Published() {}

    /** The documents, by the path that they are served under, such as {@code apis/apps/v1}. */
    public static Map<String, JsonNode> documents() {
        Map<String, JsonNode> documents = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(FOLDER, "*.json")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                documents.put(
                        name.substring(0, name.length() - ".json".length()).replace('_', '/'),
                        JsonMapper.builder().build().readTree(file.toFile()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return documents;
    }

    /** The schemas of all documents, by name. */
    static Map<String, JsonNode> schemas() {
        Map<String, JsonNode> schemas = new TreeMap<>();
        documents()
                .values()
                .forEach(document -> document.path("schemas").properties().forEach(schema -> {
                    schemas.put(schema.getKey(), schema.getValue());
                }));
        return schemas;
    }
}
