package io.busbar.sandbox.bench;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The same for each server: creates on eight connections, lists on one, watches by WebSocket. What is measured is the
 * state that a server comes to: all of it is done again and again for a time before, since a JVM first has to compile
 * what it runs.
 */
final class Load {

    private static final int CREATES = 5_000;
    private static final int CONNECTIONS = 8;
    private static final int LISTS = 10;
    private static final int WATCHES = 50;
    private static final int CHANGES = 500;
    private static final int HEAD = 200;
    /** What comes first ends the warming up. */
    private static final int WARM_ROUNDS = 4;

    private static final Duration WARM_UP = Duration.ofSeconds(25);
    private static final String VALUE = "x".repeat(600);

    private final Target target;
    private final HttpClient http;
    private final WebSocketClient sockets;

    Load(Vertx vertx, Target target) {
        this.target = target;
        this.http = vertx.createHttpClient(
                target.secure(new HttpClientOptions().setVerifyHost(false)),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        this.sockets = vertx.createWebSocketClient(
                target.secure(new WebSocketClientOptions().setVerifyHost(false).setMaxConnections(WATCHES + 1)));
    }

    /** The last round, after all that there is time for; each in a namespace of its own. */
    Figures run() throws Exception {
        long end = System.nanoTime() + WARM_UP.toNanos();
        Figures cold = round(0, 0);
        int rounds = 1;
        while (rounds < WARM_ROUNDS && System.nanoTime() < end) {
            round(rounds++, cold.createsPerSecond());
        }
        Figures warm = round(rounds, cold.createsPerSecond());
        get(http.close());
        return warm;
    }

    private Figures round(int number, double cold) throws Exception {
        String namespace = "bench-" + number + "-" + Long.toString(System.nanoTime(), 36);
        String many = namespace + "-fan";
        namespace(namespace);
        namespace(many);
        double client = cpu();
        double server = target.cpu();
        double creates = creates(namespace, CREATES);
        client = (cpu() - client) / CREATES * 1e6;
        server = (target.cpu() - server) / CREATES * 1e6;
        Figures figures = new Figures(target.name(), cold, creates, client, server, list(namespace), fanOut(many));
        for (String done : List.of(namespace, many)) {
            // First, and waited for: no server has to clean up while the next round is measured.
            get(send(HttpMethod.DELETE, maps(done), Buffer.buffer()));
            get(send(HttpMethod.DELETE, "/api/v1/namespaces/" + done, Buffer.buffer()));
        }
        return figures;
    }

    /** Seconds of CPU that this process, the client, has used. */
    private static double cpu() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toNanos()
                / 1e9;
    }

    /** @return the bytes of the list of what was made */
    long fill(String namespace, int count) throws Exception {
        namespace(namespace);
        createAll(namespace, count);
        return get(send(HttpMethod.GET, maps(namespace), Buffer.buffer())).length();
    }

    private void namespace(String name) throws Exception {
        String body = "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\"}}";
        get(send(HttpMethod.POST, "/api/v1/namespaces", Buffer.buffer(body)));
    }

    private double creates(String namespace, int count) throws Exception {
        CountDownLatch seen = new CountDownLatch(count);
        WebSocket watch = watch(namespace, seen);
        long start = System.nanoTime();
        createAll(namespace, count);
        await(seen);
        double seconds = seconds(start);
        get(watch.close());
        return count / seconds;
    }

    private double fanOut(String namespace) throws Exception {
        CountDownLatch seen = new CountDownLatch(WATCHES * CHANGES);
        List<WebSocket> watches = new ArrayList<>();
        for (int i = 0; i < WATCHES; i++) {
            watches.add(watch(namespace, seen));
        }
        long start = System.nanoTime();
        createAll(namespace, CHANGES);
        await(seen);
        double seconds = seconds(start);
        for (WebSocket watch : watches) {
            get(watch.close());
        }
        return WATCHES * CHANGES / seconds;
    }

    private double list(String namespace) throws Exception {
        double[] millis = new double[LISTS];
        for (int i = 0; i < LISTS; i++) {
            long start = System.nanoTime();
            get(send(HttpMethod.GET, maps(namespace), Buffer.buffer()));
            millis[i] = seconds(start) * 1e3;
        }
        Arrays.sort(millis);
        return millis[LISTS / 2];
    }

    private void createAll(String namespace, int count) throws Exception {
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> lanes = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            lanes.add(createNext(namespace, next, count));
        }
        get(Future.all(lanes));
    }

    private Future<?> createNext(String namespace, AtomicInteger next, int count) {
        int number = next.getAndIncrement();
        if (number >= count) {
            return Future.succeededFuture();
        }
        Buffer body =
                Buffer.buffer("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"map-" + number
                        + "\",\"namespace\":\"" + namespace
                        + "\",\"labels\":{\"app\":\"bench\"}},\"data\":{\"bench\":\"" + VALUE
                        + "\"}}");
        return send(HttpMethod.POST, maps(namespace), body).compose(done -> createNext(namespace, next, count));
    }

    /** Counts the events of the objects that {@link #createAll} makes. */
    private WebSocket watch(String namespace, CountDownLatch seen) throws Exception {
        WebSocketConnectOptions options = new WebSocketConnectOptions()
                .setHost(target.url().getHost())
                .setPort(target.port())
                .setURI(maps(namespace) + "?watch=true")
                .setHeaders(target.authorization())
                .putHeader("Origin", target.url().toString());
        WebSocket socket = get(sockets.connect(options));
        socket.handler(event -> {
            if (isOfMap(event)) {
                seen.countDown();
            }
        });
        return socket;
    }

    /** Looks at the beginning first: a client that reads it all would cost more than a server. */
    private static boolean isOfMap(Buffer event) {
        return event.getString(0, Math.min(event.length(), HEAD)).contains("\"map-")
                || event.toString().contains("\"map-");
    }

    private Future<Buffer> send(HttpMethod method, String path, Buffer body) {
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setHost(target.url().getHost())
                .setPort(target.port())
                .setURI(path)
                .setHeaders(target.authorization())
                .putHeader("Content-Type", "application/json")
                .putHeader("Accept", "application/json");
        return http.request(options)
                .compose((HttpClientRequest request) -> request.send(body))
                .compose(response -> response.body()
                        .compose(bytes -> response.statusCode() < 300
                                ? Future.succeededFuture(bytes)
                                : Future.failedFuture(method + " " + path + ": " + bytes)));
    }

    private static String maps(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private void await(CountDownLatch seen) throws InterruptedException {
        if (!seen.await(5, TimeUnit.MINUTES)) {
            throw new IllegalStateException(target.name() + ": " + seen.getCount() + " events never came");
        }
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(5, TimeUnit.MINUTES);
    }
}
