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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The same for each server: creates on eight connections, lists on one, watches by WebSocket. */
final class Load {

    private static final int CREATES = 5_000;
    private static final int CONNECTIONS = 8;
    private static final int LISTS = 10;
    private static final int WATCHES = 50;
    private static final int CHANGES = 500;
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

    /** Warms up in a namespace of its own, then measures in another. */
    Figures run() throws Exception {
        String suffix = Long.toString(System.nanoTime(), 36);
        namespace("warm-" + suffix);
        creates("warm-" + suffix, CREATES);
        list("warm-" + suffix);
        String namespace = "bench-" + suffix;
        namespace(namespace);
        double creates = creates(namespace, CREATES);
        double list = list(namespace);
        namespace("fan-" + suffix);
        double fannedOut = fanOut("fan-" + suffix);
        for (String used : List.of("warm-" + suffix, namespace, "fan-" + suffix)) {
            get(send(HttpMethod.DELETE, "/api/v1/namespaces/" + used, Buffer.buffer()));
        }
        get(http.close());
        return new Figures(target.name(), creates, list, fannedOut);
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
        Buffer body = Buffer.buffer("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"map-" + number
                + "\",\"namespace\":\"" + namespace + "\",\"labels\":{\"app\":\"bench\"}},\"data\":{\"bench\":\"" + VALUE
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
            if (event.toString().contains("\"map-")) {
                seen.countDown();
            }
        });
        return socket;
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
                .compose(response -> response.body().compose(bytes -> response.statusCode() < 300
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
