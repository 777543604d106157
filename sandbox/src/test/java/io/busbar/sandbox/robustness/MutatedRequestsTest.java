package io.busbar.sandbox.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.busbar.sandbox.Json;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.robustness.RawConnection.Answer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Ten thousand requests that somebody has tampered with, the same ones in each run, but for the order in which the
 * connections take turns. {@code -Dmutation.seed=} tries others.
 */
class MutatedRequestsTest {

    @AutoClose
    private static final Sandbox SANDBOX =
            Sandbox.start(SandboxOptions.defaults().withTls(false));

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int CONNECTIONS = 4;
    private static final int REQUESTS = 10_000;

    private static final String DEFINITION = """
            {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: {name: 'widgets.test.busbar.io'},
            spec: {group: 'test.busbar.io', scope: 'Namespaced', names: {plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList'},
            versions: [{name: 'v1', served: true, storage: true, subresources: {status: {}, scale: {specReplicasPath: '.spec.size', statusReplicasPath: '.status.size'}},
            schema: {openAPIV3Schema: {type: 'object', properties: {
            spec: {type: 'object', required: ['size'], properties: {size: {type: 'integer', minimum: 0, default: 1},
            port: {'x-kubernetes-int-or-string': true}, tags: {type: 'array', 'x-kubernetes-list-type': 'set', items: {type: 'string'}},
            parts: {type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: {type: 'object', required: ['name'], properties: {name: {type: 'string'}, weight: {type: 'number'}}}},
            free: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}},
            status: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}}}}]}}""";

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void leave_the_store_consistent(TestReporter reporter) throws Exception {
        long seed = Long.getLong("mutation.seed", 1);
        reporter.publishEntry("mutation.seed", Long.toString(seed));
        URI server = URI.create(SANDBOX.url());
        define(server);
        Map<String, WatchedModel> models = watchEverything(server);
        List<String> faults = send(server, seed);
        assertThat(faults).as("seed " + seed).isEmpty();
        for (Map.Entry<String, WatchedModel> model : models.entrySet()) {
            assertSame(server, model.getKey(), model.getValue(), seed);
        }
    }

    /** @return the requests that were not answered as they should */
    private List<String> send(URI server, long seed) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        AtomicInteger written = new AtomicInteger();
        try {
            List<Future<List<String>>> all = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                Mutator mutator = new Mutator(seed + i);
                all.add(threads.submit(() -> send(server, mutator, written)));
            }
            List<String> faults = new ArrayList<>();
            for (Future<List<String>> some : all) {
                faults.addAll(some.get(100, TimeUnit.SECONDS));
            }
            assertThat(written.get()).as("requests that wrote something").isGreaterThan(REQUESTS / 50);
            return faults;
        } finally {
            threads.shutdownNow();
        }
    }

    private List<String> send(URI server, Mutator mutator, AtomicInteger written) throws Exception {
        List<String> faults = new ArrayList<>();
        try (RawConnection connection = new RawConnection(server, SANDBOX.token())) {
            for (int i = 0; i < REQUESTS / CONNECTIONS && faults.size() < 5; i++) {
                MutatedRequest request = mutator.next();
                Answer answer = connection.send(request);
                if (!isSound(answer)) {
                    faults.add(request + "\n  was answered " + answer);
                } else if (answer.code() < 300 && !request.method().equals("GET")) {
                    written.incrementAndGet();
                }
            }
        }
        return faults;
    }

    /** Refusals say why; an exception that the server did not foresee is not sound. */
    private static boolean isSound(Answer answer) {
        JsonNode body = answer.body();
        boolean status = body == null
                || (body.path("kind").asText().equals("Status")
                        && body.path("code").asInt() == answer.code());
        return answer.code() < 400 || (status && !answer.text().contains("Exception"));
    }

    private void define(URI server) throws Exception {
        HttpRequest request = request(server.resolve("/apis/apiextensions.k8s.io/v1/customresourcedefinitions"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(
                        Json.object(DEFINITION.replace("\n", " ")).toString()))
                .build();
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
        while (get(server.resolve("/apis/test.busbar.io/v1/widgets")).statusCode() != 200) {
            // It is served soon; else the time limit of a test tells.
        }
    }

    /** One watch for each collection that discovery tells of. */
    private Map<String, WatchedModel> watchEverything(URI server) throws Exception {
        List<String> versions = new ArrayList<>(List.of("/api/v1"));
        for (JsonNode group : json("/apis", server).path("groups")) {
            versions.add("/apis/"
                    + group.path("preferredVersion").path("groupVersion").asText());
        }
        Map<String, WatchedModel> models = new LinkedHashMap<>();
        for (String version : versions) {
            for (JsonNode resource : json(version, server).path("resources")) {
                if (resource.path("verbs").toString().contains("\"watch\"")) {
                    String path = version + "/" + resource.path("name").asText();
                    WatchedModel model = new WatchedModel();
                    model.watch(
                            http, request(server.resolve(path + "?watch=true")).build());
                    models.put(path, model);
                }
            }
        }
        assertThat(models).containsKeys("/api/v1/pods", "/apis/test.busbar.io/v1/widgets");
        return models;
    }

    /**
     * Watches tell a little later than lists, so that equality is waited for; what is not equal in the end is shown.
     */
    private void assertSame(URI server, String path, WatchedModel model, long seed) throws Exception {
        Map<String, JsonNode> listed = list(server, path);
        for (int i = 0; i < 500 && !listed.equals(model.objects()); i++) {
            listed = list(server, path);
        }
        assertThat(model.objects()).as(path + ", seed " + seed).isEqualTo(listed);
        assertThat(model.surprises()).as(path + ", seed " + seed).isEmpty();
    }

    private Map<String, JsonNode> list(URI server, String path) throws Exception {
        Map<String, JsonNode> listed = new HashMap<>();
        for (JsonNode item : json(path, server).path("items")) {
            Map.Entry<String, JsonNode> entry = WatchedModel.entry(item);
            assertThat(listed.put(entry.getKey(), entry.getValue())).isNull();
        }
        return listed;
    }

    private JsonNode json(String path, URI server) throws Exception {
        HttpResponse<String> response = get(server.resolve(path));
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        return MAPPER.readTree(response.body());
    }

    private HttpResponse<String> get(URI uri) throws Exception {
        return http.send(request(uri).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + SANDBOX.token());
    }
}
