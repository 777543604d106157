package io.busbar.runtime.client;

import io.busbar.runtime.management.CertificateFolder;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of HTTP/2 that keeps objects by their path, and closes connections with GOAWAY as an API server does by
 * chance: in good order, with a last stream that it names, and what it has begun it ends. It does not imitate anything
 * else of an API server.
 */
final class ClosingServer {

    private static final int NO_ERROR = 0;

    /** What to do about one request. */
    enum Way {
        /** Answers. */
        ANSWER,
        /** Does what is asked, closes the connection, and answers then. */
        DO_AND_CLOSE,
        /** Closes the connection and says that this was not begun. */
        CLOSE,
        /** Asks for a pause of a second. */
        TOO_MANY,
        /** Begins an answer, and never ends it. */
        STALL
    }

    private final List<String> received = new CopyOnWriteArrayList<>();
    private final List<Long> times = new CopyOnWriteArrayList<>();
    private final Map<String, JsonObject> objects = new ConcurrentHashMap<>();
    private final Map<Integer, Way> ways;
    private final AtomicInteger count = new AtomicInteger();
    private final HttpServer server;

    /**
     * @param folder for a certificate
     * @param ways by the number of the request, from 0; without one it is answered
     */
    ClosingServer(Vertx vertx, Path folder, Map<Integer, Way> ways) throws Exception {
        this.ways = ways;
        CertificateFolder.write(folder);
        this.server = vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .setUseAlpn(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setCertPath(folder.resolve("tls.crt").toString())
                                .setKeyPath(folder.resolve("tls.key").toString())))
                .requestHandler(request -> request.body().onSuccess(body -> handle(request, body)))
                .listen(0, "127.0.0.1")
                .await(60, TimeUnit.SECONDS);
    }

    String url() {
        return "https://127.0.0.1:" + server.actualPort();
    }

    /** Method and path of each. */
    List<String> received() {
        return received;
    }

    /** From one request, by its number, to the next. */
    Duration pauseAfter(int number) {
        return Duration.ofNanos(times.get(number + 1) - times.get(number));
    }

    Map<String, JsonObject> objects() {
        return objects;
    }

    private void handle(HttpServerRequest request, Buffer body) {
        received.add(request.method() + " " + request.path());
        times.add(System.nanoTime());
        switch (ways.getOrDefault(count.getAndIncrement(), Way.ANSWER)) {
            case ANSWER -> answer(request, body);
            case DO_AND_CLOSE -> {
                request.connection().goAway(NO_ERROR, request.response().streamId());
                answer(request, body);
            }
            case CLOSE ->
                request.connection()
                        .goAway(NO_ERROR, Math.max(0, request.response().streamId() - 2));
            case TOO_MANY -> end(request.response().putHeader("Retry-After", "1"), 429, status("slow down"));
            case STALL -> request.response().setChunked(true).write("{");
        }
    }

    private void answer(HttpServerRequest request, Buffer body) {
        HttpServerResponse response = request.response();
        switch (request.method().name()) {
            case "POST" -> {
                JsonObject object = body.toJsonObject();
                String path =
                        request.path() + "/" + object.getJsonObject("metadata").getString("name");
                boolean taken = objects.putIfAbsent(path, object) != null;
                // As API servers do, which take a name beside a generateName for one that they have made up themselves.
                int refusal = object.getJsonObject("metadata").containsKey("generateName") ? 500 : 409;
                end(response, taken ? refusal : 201, taken ? status("already exists") : object);
            }
            case "GET" -> {
                JsonObject object = objects.get(request.path());
                end(response, object == null ? 404 : 200, object == null ? status("not found") : object);
            }
            default -> end(response, 200, body.toJsonObject());
        }
    }

    private static JsonObject status(String message) {
        return new JsonObject().put("kind", "Status").put("message", message);
    }

    private static void end(HttpServerResponse response, int code, JsonObject body) {
        response.setStatusCode(code).end(body.toBuffer());
    }
}
