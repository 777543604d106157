package io.busbar.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.certificates.CertificateSource;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.conversion.Conversions;
import io.busbar.common.trace.Tracing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** An admission server on a free port, and clients for it. */
final class TestServer implements AutoCloseable {

    static final int CONNECTIONS = 16;

    final Vertx vertx = Vertx.vertx();
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final AdmissionServer server;
    /** Of the last two reviews. */
    final ReviewLog log = ReviewLog.ofLast(2);

    private final HttpClient client;
    /** As it is said, so much of an answer that nobody reads is taken; else the system may take as much as it likes. */
    private static final int UNREAD_BYTES = 64 * 1024;

    /** Kept: Vert.x closes the sockets of a client that nobody holds any more. */
    private final NetClient sockets = vertx.createNetClient(new NetClientOptions()
            .setSsl(true)
            .setTrustAll(true)
            .setHostnameVerificationAlgorithm("")
            .setReceiveBufferSize(UNREAD_BYTES));

    TestServer(Map<String, AdmissionRule> rules) {
        this(AdmissionServerOptions.defaults(), rules, new EphemeralCertificates(List.of("127.0.0.1")));
    }

    TestServer(AdmissionServerOptions options, Map<String, AdmissionRule> rules, CertificateSource source) {
        this(options, rules, Conversions.none(), source);
    }

    TestServer(
            AdmissionServerOptions options,
            Map<String, AdmissionRule> rules,
            Conversions conversions,
            CertificateSource source) {
        this(options, rules, conversions, source, Tracing.off());
    }

    TestServer(
            AdmissionServerOptions options,
            Map<String, AdmissionRule> rules,
            Conversions conversions,
            CertificateSource source,
            Tracing tracing) {
        server = await(AdmissionServer.start(
                vertx, options.on("127.0.0.1", 0), rules, conversions, source, registry, tracing, log));
        client = client(true);
    }

    record Reply(int code, String type, String body) {}

    HttpClient client(boolean keepAlive) {
        return vertx.createHttpClient(
                new HttpClientOptions()
                        .setSsl(true)
                        .setTrustAll(true)
                        .setVerifyHost(false)
                        .setUseAlpn(false)
                        .setKeepAlive(keepAlive),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    }

    Future<Reply> post(String path, Buffer body) {
        return send(client, HttpMethod.POST, path, "application/json", body);
    }

    Future<Reply> send(HttpClient through, HttpMethod method, String path, String type, Buffer body) {
        return through.request(to(path).setMethod(method).putHeader("content-type", type))
                .compose(request -> request.send(body).compose(TestServer::reply));
    }

    Reply send(HttpMethod method, String path, String type, String body) {
        return await(send(client, method, path, type, Buffer.buffer(body)));
    }

    /** For what an HTTP client would not send. */
    NetSocket openSocket() {
        return await(sockets.connect(server.actualPort(), "127.0.0.1"));
    }

    RequestOptions to(String path) {
        return new RequestOptions()
                .setHost("127.0.0.1")
                .setPort(server.actualPort())
                .setURI(path);
    }

    double inFlight(String webhook) {
        return registry.get("controller.runtime.webhook.requests.in.flight")
                .tag("webhook", webhook)
                .gauge()
                .value();
    }

    /** Waits until so many requests to {@code /allow} are there and not answered. */
    void awaitInFlight(int number) {
        awaitThat("in flight", () -> inFlight("/allow") == number);
    }

    /** Waits until so many connections are open. */
    void awaitConnections(int number) {
        awaitThat("connections", () -> server.openConnections() == number);
    }

    private void awaitThat(String what, BooleanSupplier holds) {
        CountDownLatch reached = new CountDownLatch(1);
        long timer = vertx.setPeriodic(5, tick -> {
            if (holds.getAsBoolean()) {
                reached.countDown();
            }
        });
        try {
            assertThat(reached.await(60, TimeUnit.SECONDS)).as(what).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        vertx.cancelTimer(timer);
    }

    HttpClient client() {
        return client;
    }

    static Future<Reply> reply(HttpClientResponse response) {
        return response.body()
                .map(body -> new Reply(response.statusCode(), response.getHeader("content-type"), body.toString()));
    }

    static <T> T await(Future<T> future) {
        return future.timeout(60, TimeUnit.SECONDS).await();
    }

    @Override
    public void close() {
        await(server.close());
        await(vertx.close());
    }
}
