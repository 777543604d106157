package io.busbar.watcher;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;

/**
 * Answers each request with the next line of a script, and keeps quiet on those beyond it. Imitates nothing of an API
 * server but the form of what it says; can be stopped and started on its port.
 */
final class ScriptedServer {

    private final Vertx vertx;
    private final ConcurrentLinkedQueue<Consumer<HttpServerResponse>> script = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<HttpServerRequest> requests = new LinkedBlockingQueue<>();
    private final List<HttpServerResponse> open = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();
    private HttpServer server;
    private int port;

    ScriptedServer(Vertx vertx) {
        this.vertx = vertx;
    }

    /** On the port of before, which a connection of another process may have been given meanwhile. */
    ScriptedServer start() {
        Awaitility.await("port " + port)
                .ignoreExceptionsMatching(taken -> taken.getCause() instanceof BindException)
                .until(() -> {
                    server = vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
                            .requestHandler(this::handle);
                    port = await(server.listen(port, "127.0.0.1")).actualPort();
                    return true;
                });
        return this;
    }

    void stop() {
        await(server.close());
        open.clear();
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    private void handle(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        response.closeHandler(v -> {
            open.remove(response);
            if (!response.ended() && request.uri().contains("watch=true")) {
                closed.add(request.uri());
            }
        });
        Consumer<HttpServerResponse> line = script.poll();
        if (line == null) {
            open.add(response);
        } else {
            line.accept(response);
        }
        requests.add(request);
    }

    ScriptedServer then(Consumer<HttpServerResponse> line) {
        script.add(line);
        return this;
    }

    ScriptedServer thenStatus(int code, String message) {
        return then(response -> response.setStatusCode(code)
                .end("{\"kind\":\"Status\",\"metadata\":{},\"message\":\"" + message + "\",\"code\":" + code + "}"));
    }

    ScriptedServer thenList(String version, String continuation, String... objects) {
        return then(response -> response.end(list(version, continuation, objects)));
    }

    /** A list as gzip, in two pieces. */
    ScriptedServer thenPackedList(String version, String... objects) {
        Buffer packed = gzip(list(version, "", objects));
        return then(response -> {
            response.setChunked(true).putHeader("Content-Encoding", "gzip");
            response.write(packed.slice(0, packed.length() / 2));
            response.end(packed.slice(packed.length() / 2, packed.length()));
        });
    }

    /** What says that it is gzip and then breaks off, in good order as far as HTTP goes, or is something else. */
    ScriptedServer thenSpoiltList(Buffer packed) {
        return then(response -> response.putHeader("Content-Encoding", "gzip").end(packed));
    }

    static Buffer gzip(String text) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return Buffer.buffer(packed.toByteArray());
    }

    static String list(String version, String continuation, String... objects) {
        return "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"" + version + "\",\"continue\":\"" + continuation
                + "\"},\"items\":[" + String.join(",", objects) + "]}";
    }

    /** A watch that says this and stays open. */
    ScriptedServer thenWatch(String... events) {
        return then(response -> {
            response.setChunked(true).writeHead();
            open.add(response);
            for (String event : events) {
                response.write(event + "\n");
            }
        });
    }

    /** A watch that says this, and whose connection is then lost. */
    ScriptedServer thenCutWatch(String... events) {
        return then(response -> {
            response.setChunked(true).writeHead();
            response.write(String.join("\n", events) + "\n{\"type\":\"MODIF").onComplete(v -> response.reset());
        });
    }

    /** Says something on each response that is open, once there is one. */
    void say(String event) {
        awaitOpen().forEach(response -> response.write(event + "\n"));
    }

    /** Ends each response that is open, in good order, once there is one. */
    void endAll() {
        awaitOpen().forEach(HttpServerResponse::end);
    }

    private List<HttpServerResponse> awaitOpen() {
        return Awaitility.await("a response to talk on")
                .atMost(Duration.ofMinutes(1))
                .until(() -> open, responses -> !responses.isEmpty());
    }

    /** The next request that came in. */
    HttpServerRequest request() throws InterruptedException {
        HttpServerRequest request = requests.poll(60, TimeUnit.SECONDS);
        if (request == null) {
            throw new AssertionError("no further request came");
        }
        return request;
    }

    /**
     * The URI of the next watch whose connection the client closed before the response had ended. Of a list that cannot
     * be told: the client may close its connection before the server takes note that it has answered.
     */
    String closed() throws InterruptedException {
        return closed.poll(60, TimeUnit.SECONDS);
    }

    static String object(String name, String version) {
        return object("n", name, version, "{}");
    }

    static String object(String namespace, String name, String version, String data) {
        return "{\"metadata\":{\"namespace\":\"" + namespace + "\",\"name\":\"" + name + "\",\"uid\":\"uid-" + name
                + "\",\"resourceVersion\":\"" + version + "\"},\"data\":" + data + "}";
    }

    static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
    }

    static String bookmark(String version) {
        return event("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"" + version + "\"}}");
    }

    static String initialEventsEnd(String version) {
        return event(
                "BOOKMARK",
                "{\"metadata\":{\"resourceVersion\":\"" + version
                        + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}");
    }

    static String error(int code) {
        return event("ERROR", "{\"kind\":\"Status\",\"metadata\":{},\"code\":" + code + ",\"message\":\"no\"}");
    }

    static <T> T await(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }
}
