package io.busbar.reconciler;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * An HTTP server that takes down requests and answers as told. It knows nothing of Kubernetes: left alone it answers
 * with the body that it got, and the next resourceVersion.
 */
public final class CannedApi {

    /**
     * @param body empty when that is a list
     */
    public record Received(
            String method, String path, String query, String contentType, JsonObject body, JsonArray operations) {

        public Received(String method, String path, String query, String contentType, JsonObject body) {
            this(method, path, query, contentType, body, new JsonArray());
        }
    }

    public record Answer(int code, JsonObject body) {
        /** The failure of a request for these fields. */
        public static Answer failure(int code, String message, String reason, String... fields) {
            JsonArray causes = new JsonArray();
            for (String field : fields) {
                causes.add(new JsonObject()
                        .put("reason", reason)
                        .put("message", message)
                        .put("field", field));
            }
            Answer failure = failure(code, message);
            failure.body().put("reason", reason).put("details", new JsonObject().put("causes", causes));
            return failure;
        }

        public static Answer failure(int code, String message) {
            return new Answer(
                    code,
                    new JsonObject()
                            .put("kind", "Status")
                            .put("message", message)
                            .put("code", code));
        }
    }

    private final Vertx vertx = Vertx.vertx();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final Semaphore arrivals = new Semaphore(0);
    private final AtomicInteger versions = new AtomicInteger(100);
    private final HttpServer server;
    private final KubernetesClient client;
    private volatile Function<Received, Answer> answers = this::echo;

    public CannedApi() throws Exception {
        server = vertx.createHttpServer().requestHandler(this::handle).listen(0).await(60, TimeUnit.SECONDS);
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://localhost:" + server.actualPort())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    private void handle(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            Received one = new Received(
                    request.method().name(),
                    request.path(),
                    String.valueOf(request.query()),
                    String.valueOf(request.getHeader("Content-Type")),
                    body.length() == 0 || isList(body) ? new JsonObject() : new JsonObject(body),
                    isList(body) ? new JsonArray(body) : new JsonArray());
            received.add(one);
            arrivals.release();
            Answer answer = answers.apply(one);
            request.response()
                    .setStatusCode(answer.code())
                    .end(Buffer.buffer(answer.body().encode()));
        });
    }

    private static boolean isList(Buffer body) {
        return body.length() > 0 && body.getByte(0) == '[';
    }

    public Answer echo(Received request) {
        JsonObject body = request.body().copy();
        JsonObject metadata = body.getJsonObject("metadata", new JsonObject());
        String[] path = request.path().split("/");
        int at = List.of(path).indexOf("namespaces");
        metadata.put("resourceVersion", "" + versions.incrementAndGet()).put("uid", "uid");
        if (at > 0) {
            boolean named = metadata.containsKey("name") && path.length <= at + 3;
            metadata.put("namespace", path[at + 1])
                    .put("name", named ? metadata.getString("name") : path[Math.min(at + 3, path.length - 1)]);
        }
        return new Answer(200, body.put("metadata", metadata));
    }

    public void answer(Function<Received, Answer> how) {
        answers = how;
    }

    /** As if left alone, but for no request before that. */
    public void echoAfter(CountDownLatch go) {
        answers = request -> {
            try {
                go.await();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
            return echo(request);
        };
    }

    public List<Received> received() {
        return received;
    }

    /** Waits until so many more requests have come. */
    public List<Received> await(int count) throws InterruptedException {
        if (!arrivals.tryAcquire(count, 60, TimeUnit.SECONDS)) {
            throw new AssertionError("only these came: " + received);
        }
        return received;
    }

    public KubernetesClient client() {
        return client;
    }

    public void close() throws Exception {
        client.close();
        vertx.close().await(60, TimeUnit.SECONDS);
    }
}
