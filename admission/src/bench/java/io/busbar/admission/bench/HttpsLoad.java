package io.busbar.admission.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Posts one body again and again over connections that stay open, each waiting for its answer. It writes ready-made
 * bytes and only counts those that come back, so that it takes little from the server beside it: every answer must be
 * of one length.
 */
public final class HttpsLoad implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");

    private final NetClient client;
    private final Buffer request;
    private final List<Connection> connections = new ArrayList<>();

    public HttpsLoad(Vertx vertx, int port, String path, byte[] body, int connectionCount) throws Exception {
        this.client = vertx.createNetClient(
                new NetClientOptions().setSsl(true).setTrustAll(true).setHostnameVerificationAlgorithm(""));
        this.request = Buffer.buffer("POST " + path + "?timeout=10s HTTP/1.1\r\nHost: localhost:" + port
                        + "\r\nUser-Agent: kube-apiserver-admission\r\nContent-Length: " + body.length
                        + "\r\nAccept: application/json, */*\r\nContent-Type: application/json\r\n\r\n")
                .appendBytes(body);
        for (int i = 0; i < connectionCount; i++) {
            connections.add(new Connection(await(client.connect(port, "127.0.0.1"))));
        }
    }

    /** The bodies of answers, in bytes; known after a first round. */
    public int answerBytes() {
        return connections.get(0).bodyBytes;
    }

    /** Sends so many requests over all connections together. */
    public LoadResult run(int requests, ChildServer server) throws Exception {
        AtomicInteger left = new AtomicInteger(requests);
        long[] latencies = new long[requests];
        Duration cpuBefore = server.cpu();
        long begun = System.nanoTime();
        List<Future<Void>> rounds = new ArrayList<>();
        for (Connection connection : connections) {
            rounds.add(connection.round(left, latencies));
        }
        await(Future.all(rounds));
        return new LoadResult(
                Duration.ofNanos(System.nanoTime() - begun), server.cpu().minus(cpuBefore), latencies);
    }

    @Override
    public void close() throws Exception {
        await(client.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(300, TimeUnit.SECONDS);
    }

    private final class Connection {

        private final NetSocket socket;
        private Promise<Void> done = Promise.promise();
        private AtomicInteger left = new AtomicInteger();
        private long[] latencies = new long[0];
        private int expectedBytes = -1;
        private int bodyBytes = -1;
        private int received;
        private long sent;

        Connection(NetSocket socket) {
            this.socket = socket;
            socket.handler(this::receive);
            socket.closeHandler(closed -> done.tryFail("the server closed a connection"));
        }

        Future<Void> round(AtomicInteger remaining, long[] result) {
            left = remaining;
            latencies = result;
            done = Promise.promise();
            send();
            return done.future();
        }

        private void send() {
            if (left.get() <= 0) {
                done.complete();
                return;
            }
            received = 0;
            sent = System.nanoTime();
            socket.write(request);
        }

        private void receive(Buffer data) {
            if (received == 0) {
                begin(data);
            }
            received += data.length();
            if (received == expectedBytes) {
                int index = left.decrementAndGet();
                if (index >= 0) {
                    latencies[index] = System.nanoTime() - sent;
                }
                send();
            } else if (received > expectedBytes) {
                done.tryFail("an answer of another length");
            }
        }

        private void begin(Buffer data) {
            if (data.getByte(9) != '2') {
                done.tryFail("not 2xx: " + data.getString(0, Math.min(100, data.length())));
            }
            if (expectedBytes < 0) {
                String head = data.toString(StandardCharsets.ISO_8859_1);
                Matcher length = LENGTH.matcher(head);
                if (!length.find()) {
                    throw new IllegalStateException("an answer without a length: " + head);
                }
                bodyBytes = Integer.parseInt(length.group(1));
                expectedBytes = head.indexOf("\r\n\r\n") + 4 + bodyBytes;
            }
        }
    }
}
