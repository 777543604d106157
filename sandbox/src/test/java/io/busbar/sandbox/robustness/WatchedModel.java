package io.busbar.sandbox.robustness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The objects of a kind as one watch has told of them. Read on any thread, written on one. */
final class WatchedModel {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Map<String, JsonNode> objects = new ConcurrentHashMap<>();
    private final List<String> surprises = new CopyOnWriteArrayList<>();

    /** Begins with what is there, and goes on until the server ends. */
    void watch(HttpClient http, HttpRequest request) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(
                http.send(request, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8));
        Thread reader = new Thread(() -> read(lines), "watch of " + request.uri());
        reader.setDaemon(true);
        reader.start();
    }

    /** By namespace and name. */
    Map<String, JsonNode> objects() {
        return objects;
    }

    /** Events that don't fit what came before. */
    List<String> surprises() {
        return surprises;
    }

    /** Without what a list leaves out of its items. */
    static Map.Entry<String, JsonNode> entry(JsonNode object) {
        ObjectNode bare = object.deepCopy();
        bare.remove(List.of("kind", "apiVersion"));
        JsonNode metadata = object.path("metadata");
        return Map.entry(
                metadata.path("namespace").asText() + "/"
                        + metadata.path("name").asText(),
                bare);
    }

    private void read(BufferedReader lines) {
        try (lines) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode event = MAPPER.readTree(line);
                apply(event.path("type").asText(), entry(event.path("object")), line);
            }
        } catch (IOException ended) {
            // The server is gone, with the test.
        }
    }

    private void apply(String type, Map.Entry<String, JsonNode> entry, String line) {
        boolean known = objects.containsKey(entry.getKey());
        boolean fits = switch (type) {
            case "ADDED" -> !known;
            case "MODIFIED", "DELETED" -> known;
            default -> false;
        };
        if (!fits) {
            surprises.add(line);
        } else if (type.equals("DELETED")) {
            objects.remove(entry.getKey());
        } else {
            objects.put(entry.getKey(), entry.getValue());
        }
    }
}
