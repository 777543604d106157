package io.busbar.sandbox.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.DirectSandbox;
import io.busbar.sandbox.http.DirectServer.Answered;
import io.busbar.sandbox.model.Published;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the sandbox says that it serves, held to what Kubernetes 1.36.2 publishes. */
class PublishedKindsTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Path ABSENT = Path.of("src/main/java/io/busbar/sandbox/resource/package-info.java");
    private static final Map<String, String> VERBS = Map.of("post", "create", "put", "update", "watchlist", "watch");

    private final DirectSandbox sandbox = DirectSandbox.create(InstantSource.system());

    /** A resource or subresource, its kind, its scope, and its verbs. */
    private record Served(String kind, boolean namespaced, Set<String> verbs) {}

    @Test
    void schemas_are_those_that_kubernetes_publishes() {
        Set<String> served = served().keySet();
        for (Map.Entry<String, JsonNode> document : Published.documents().entrySet()) {
            Answered answer = get("/openapi/v3/" + document.getKey());
            if (answer.code() == 200) {
                JsonNode expected = document.getValue().path("schemas");
                JsonNode schemas = json(answer).at("/components/schemas");
                boolean whole = published().keySet().stream()
                        .filter(name -> name.endsWith(document.getKey().replaceFirst("^apis?/", " ")))
                        .allMatch(served::contains);
                if (whole) {
                    assertThat(schemas.fieldNames()).toIterable().containsAll(expected::fieldNames);
                }
                for (Map.Entry<String, JsonNode> schema : schemas.properties()) {
                    assertThat(normal(schema.getValue()))
                            .as("%s in %s", schema.getKey(), document.getKey())
                            .isEqualTo(normal(expected.path(schema.getKey())));
                }
            }
        }
    }

    @Test
    void what_is_served_is_served_by_kubernetes_in_the_same_way() {
        Map<String, Served> published = published();
        Map<String, Served> served = served();

        assertThat(served).isNotEmpty();
        served.forEach((resource, how) -> assertThat(how).as(resource).isEqualTo(published.get(resource)));
    }

    /** The list stands in the documentation of the package; {@code -Dsandbox.types.write=true} writes it anew. */
    @Test
    void what_kubernetes_serves_beside_is_listed_as_absent() throws IOException {
        Set<String> served = served().keySet();
        Map<String, Set<String>> absent = new TreeMap<>();
        published().keySet().stream()
                .filter(name -> !served.contains(name))
                .forEach(name -> absent.computeIfAbsent(name.substring(name.indexOf(' ') + 1), key -> new TreeSet<>())
                        .add(name.substring(0, name.indexOf(' '))));
        absent.values()
                .forEach(names -> names.removeIf(
                        name -> name.contains("/") && names.contains(name.substring(0, name.indexOf('/')))));
        String list = absent.entrySet().stream()
                .map(each -> String.join(", ", each.getValue()) + " of " + each.getKey())
                .collect(Collectors.joining("; "));
        String paragraph = (" * <p>Not served: " + list + ".").replaceAll("(.{80,116}) ", "$1\n * ");
        String text = Files.readString(ABSENT);
        String renewed = text.replaceFirst("(?s) \\* <p>Not served: .*?\\.(?=\n)", paragraph);
        if (Boolean.getBoolean("sandbox.types.write")) {
            Files.writeString(ABSENT, renewed);
        }

        assertThat(Files.readString(ABSENT)).isEqualTo(renewed).contains(paragraph);
    }

    private Map<String, Served> served() {
        Map<String, Served> served = new TreeMap<>();
        for (String path : Published.documents().keySet()) {
            Answered answer = get("/" + path);
            JsonNode list = answer.code() == 200 ? json(answer) : JSON.createObjectNode();
            for (JsonNode resource : list.path("resources")) {
                Set<String> verbs = new TreeSet<>();
                resource.path("verbs").forEach(verb -> verbs.add(verb.asText()));
                served.put(
                        name(path, resource.path("name").asText()),
                        new Served(
                                resource.path("kind").asText(),
                                resource.path("namespaced").asBoolean(),
                                verbs));
            }
        }
        return served;
    }

    private static Map<String, Served> published() {
        Map<String, Served> published = new TreeMap<>();
        Published.documents()
                .forEach((document, content) -> content.path("paths")
                        .properties()
                        .forEach(path -> {
                            String rest = path.getKey()
                                    .substring(document.length() + 1)
                                    .replaceFirst("^/watch/", "/");
                            boolean namespaced = rest.startsWith("/namespaces/{namespace}/");
                            List<String> parts =
                                    List.of(rest.substring(namespaced ? "/namespaces/{namespace}/".length() : 1)
                                            .split("/", -1));
                            if (rest.length() > 1 && !rest.endsWith("{path}")) {
                                String resource = parts.get(0) + (parts.size() > 2 ? "/" + parts.get(2) : "");
                                path.getValue().properties().forEach(method -> {
                                    String action =
                                            method.getValue().path("action").asText();
                                    String kind = method.getValue()
                                            .path("kind")
                                            .path("kind")
                                            .asText();
                                    Served before = published.get(name(document, resource));
                                    Set<String> verbs = new TreeSet<>(before == null ? Set.of() : before.verbs());
                                    if (!action.equals("connect")) {
                                        verbs.add(VERBS.getOrDefault(action, action));
                                    }
                                    published.put(
                                            name(document, resource),
                                            new Served(
                                                    kind,
                                                    namespaced || (before != null && before.namespaced()),
                                                    verbs));
                                });
                            }
                        }));
        published.values().removeIf(served -> served.verbs().isEmpty());
        return published;
    }

    private static String name(String path, String resource) {
        List<String> parts = List.of(path.split("/", -1));
        return resource + " " + (parts.size() == 2 ? parts.get(1) : parts.get(1) + "/" + parts.get(2));
    }

    /** Without what says the same in two ways, and unions, which are not told. */
    private static JsonNode normal(JsonNode schema) {
        ObjectNode normal = schema.isMissingNode() ? JSON.createObjectNode() : schema.deepCopy();
        normal.remove("x-kubernetes-unions");
        for (JsonNode property : normal.path("properties")) {
            if (property instanceof ObjectNode object && object.has("$ref")) {
                JsonNode reference = object.deepCopy();
                object.removeAll();
                object.putArray("allOf").add(reference);
            }
        }
        return sorted(normal);
    }

    private static JsonNode sorted(ObjectNode schema) {
        if (schema.path("required").isArray()) {
            Set<String> names = new TreeSet<>();
            schema.path("required").forEach(name -> names.add(name.asText()));
            names.forEach(schema.putArray("required")::add);
        }
        return schema;
    }

    private Answered get(String path) {
        try {
            return sandbox.answer("GET", path, Map.of("accept", "application/json"), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(Answered answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
