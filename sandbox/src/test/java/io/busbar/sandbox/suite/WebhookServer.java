package io.busbar.sandbox.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.tls.TlsIdentity;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * An HTTPS server whose paths answer reviews, of admission and of conversion, as each test says; it remembers what it
 * was asked.
 */
public final class WebhookServer implements AutoCloseable {

    /** Leaves a request without an answer. */
    static final Function<JsonNode, ObjectNode> SILENT = request -> null;

    private final Vertx vertx = Vertx.vertx();
    private final TlsIdentity tls;
    private final Map<String, Function<JsonNode, ObjectNode>> answers = new ConcurrentHashMap<>();
    private final BlockingQueue<JsonNode> asked = new LinkedBlockingQueue<>();
    private final HttpServer server;
    private volatile String version = "";

    public WebhookServer() {
        this("127.0.0.1");
    }

    /** @param host whom its certificate is for, too */
    public WebhookServer(String host) {
        tls = TlsIdentity.make(List.of(host));
        try {
            server = vertx.createHttpServer(new HttpServerOptions()
                            .setSsl(true)
                            .setKeyCertOptions(new PemKeyCertOptions()
                                    .setCertValue(Buffer.buffer(tls.certificate()))
                                    .setKeyValue(Buffer.buffer(tls.key()))))
                    .requestHandler(this::answer)
                    .listen(0)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param answer from a review's request to its response; the uid is added when it has none */
    public void on(String path, Function<JsonNode, ObjectNode> answer) {
        answers.put(path, answer);
    }

    public int port() {
        return server.actualPort();
    }

    /** A client configuration for a path, in JSON. */
    public String at(String path) {
        return "{'url':'https://127.0.0.1:" + port() + path + "','caBundle':'" + bundle() + "'}";
    }

    /** The same by way of a Service. */
    public String by(String namespace, String service, int servicePort, String path) {
        return "{'service':{'namespace':'" + namespace + "','name':'" + service + "','port':" + servicePort
                + ",'path':'" + path + "'},'caBundle':'" + bundle() + "'}";
    }

    private String bundle() {
        return Base64.getEncoder().encodeToString(tls.authority().getBytes(StandardCharsets.US_ASCII));
    }

    /** The request of the oldest review that nobody has looked at; null when there is none. */
    JsonNode request() {
        return asked.poll();
    }

    /** The apiVersion of the latest review. */
    String version() {
        return version;
    }

    void forget() {
        asked.clear();
    }

    public static ObjectNode allowed() {
        return JsonNodeFactory.instance.objectNode().put("allowed", true);
    }

    public static ObjectNode denied(String message) {
        ObjectNode response = JsonNodeFactory.instance.objectNode().put("allowed", false);
        response.putObject("status").put("message", message);
        return response;
    }

    /** @param patch operations, with single quotes */
    static ObjectNode patched(String patch) {
        String bytes =
                Base64.getEncoder().encodeToString(patch.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        return allowed().put("patchType", "JSONPatch").put("patch", bytes);
    }

    private void answer(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            JsonNode review = Api.json(body.getBytes());
            version = review.path("apiVersion").asText();
            asked.add(review.path("request"));
            Function<JsonNode, ObjectNode> handler = answers.get(request.path());
            if (handler == null) {
                request.response().setStatusCode(404).end();
                return;
            }
            ObjectNode response = handler.apply(review.path("request"));
            if (response == null) {
                return;
            }
            if (!response.has("uid")) {
                response.set("uid", review.path("request").path("uid"));
            }
            ObjectNode answer = JsonNodeFactory.instance.objectNode();
            answer.set("apiVersion", review.path("apiVersion"));
            answer.set("kind", review.path("kind"));
            answer.set("response", response);
            request.response().putHeader("Content-Type", "application/json").end(answer.toString());
        });
    }

    @Override
    public void close() {
        vertx.close();
    }
}
