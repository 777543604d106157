package io.busbar.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.patch.PatchedJson;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Objects by path, over HTTP: get, create, replace and JSON Patch, with the conflicts that resourceVersions make.
 *
 * <p>Does not imitate: defaults, validation, lists, watches, other patches, authorization.
 */
public final class FakeApiServer implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, ObjectNode> objects = new ConcurrentHashMap<>();
    private final AtomicInteger writes = new AtomicInteger();
    private final int port;
    private volatile String unknown = "";
    private int lastVersion;

    public FakeApiServer() {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> answer(request, body)))
                .listen(0, "127.0.0.1")
                .timeout(60, TimeUnit.SECONDS)
                .await();
        port = server.actualPort();
    }

    public KubernetesClient client() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + port)
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** From now on drops this member of each webhook, as a server does that is too old to know it. */
    public void dropsOfWebhooks(String member) {
        unknown = member;
    }

    /** Creations, replacements, patches and deletions that were carried out. */
    public int writes() {
        return writes.get();
    }

    private void answer(HttpServerRequest request, Buffer body) {
        try {
            switch (request.method().name()) {
                case "GET" -> stored(request, request.path());
                case "POST" -> create(request, (ObjectNode) MAPPER.readTree(body.getBytes()));
                case "PUT" -> replace(request, (ObjectNode) MAPPER.readTree(body.getBytes()));
                case "PATCH" -> patch(request, MAPPER.readTree(body.getBytes()));
                case "DELETE" -> delete(request);
                default -> fail(request, 405);
            }
        } catch (java.io.IOException e) {
            fail(request, 400);
        }
    }

    private void stored(HttpServerRequest request, String path) throws JsonProcessingException {
        ObjectNode object = objects.get(path);
        if (object == null) {
            fail(request, 404);
        } else {
            request.response().putHeader("content-type", "application/json").end(MAPPER.writeValueAsString(object));
        }
    }

    private void create(HttpServerRequest request, ObjectNode object) throws JsonProcessingException {
        String path = request.path() + "/" + object.at("/metadata/name").asText();
        if (objects.containsKey(path)) {
            fail(request, 409);
        } else {
            write(request, path, object);
        }
    }

    private void replace(HttpServerRequest request, ObjectNode object) throws JsonProcessingException {
        ObjectNode stored = objects.get(request.path());
        String version = object.at("/metadata/resourceVersion").asText();
        if (stored == null) {
            fail(request, 404);
        } else if (!version.isEmpty() && !version.equals(version(stored))) {
            fail(request, 409);
        } else {
            write(request, request.path(), object);
        }
    }

    private void patch(HttpServerRequest request, JsonNode patch) throws JsonProcessingException {
        ObjectNode stored = objects.get(request.path());
        if (stored == null) {
            fail(request, 404);
            return;
        }
        try {
            write(request, request.path(), (ObjectNode) PatchedJson.of(stored, patch));
        } catch (IllegalArgumentException e) {
            fail(request, 422);
        }
    }

    private void delete(HttpServerRequest request) throws JsonProcessingException {
        if (objects.remove(request.path()) == null) {
            fail(request, 404);
        } else {
            writes.incrementAndGet();
            request.response()
                    .putHeader("content-type", "application/json")
                    .end("{\"kind\":\"Status\",\"status\":\"Success\"}");
        }
    }

    private void write(HttpServerRequest request, String path, ObjectNode object) throws JsonProcessingException {
        writes.incrementAndGet();
        object.path("webhooks").forEach(webhook -> ((ObjectNode) webhook).remove(unknown));
        object.withObject("/metadata").put("resourceVersion", Integer.toString(++lastVersion));
        objects.put(path, object);
        stored(request, path);
    }

    private static void fail(HttpServerRequest request, int code) {
        request.response()
                .setStatusCode(code)
                .putHeader("content-type", "application/json")
                .end("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code
                        + ",\"message\":\"fake " + code + "\"}");
    }

    private static String version(ObjectNode object) {
        return object.at("/metadata/resourceVersion").asText();
    }

    @Override
    public void close() {
        vertx.close().timeout(60, TimeUnit.SECONDS).await();
    }
}
