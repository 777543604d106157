package io.busbar.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.server.ConnectionLimits;
import io.busbar.common.bus.Addresses;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.MetricsOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of the ports for health and metrics that do what no probe would. */
class ManagementPortsTest {

    private static final Duration NEVER = Duration.ofHours(1);
    private static final int METRICS = 0;
    private static final int HEALTH = 1;
    private static final String PROBE = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

    private final PrometheusMeterRegistry meters = Telemetry.registry();
    private final Vertx vertx = Telemetry.vertx(meters);
    private final NetClient plain = vertx.createNetClient();
    private final NetClient tls = vertx.createNetClient(
            new NetClientOptions().setSsl(true).setTrustAll(true).setHostnameVerificationAlgorithm(""));
    private final KubernetesClient nowhere = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:1")
                    .build())
            .build();
    private ManagementServer server;

    @AfterEach
    void stop() throws Exception {
        wait(server.stop());
        nowhere.close();
        wait(vertx.close());
    }

    @ParameterizedTest
    @ValueSource(ints = {METRICS, HEALTH})
    void connections_that_ask_nothing_are_closed(int port) throws Exception {
        start(ConnectionLimits.management().within(Duration.ofMillis(300), NEVER, NEVER));

        assertThat(wait(everything(open(port)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {METRICS, HEALTH})
    void heads_that_stall_are_not_waited_for(int port) throws Exception {
        start(ConnectionLimits.management().within(Duration.ofMillis(300), NEVER, NEVER));
        NetSocket socket = open(port);
        Future<String> answer = everything(socket);
        socket.write("GET /healthz HTTP/1.1\r\nHo");

        assertThat(wait(answer)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {METRICS, HEALTH})
    void heads_without_end_are_answered_431(int port) throws Exception {
        start(ConnectionLimits.management());
        NetSocket socket = open(port);
        Future<String> answer = everything(socket);
        socket.write("GET /metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + "x".repeat(20_000));

        assertThat(wait(answer)).startsWith("HTTP/1.1 431 ");
    }

    @ParameterizedTest
    @ValueSource(ints = {METRICS, HEALTH})
    void bodies_are_refused_at_once(int port) throws Exception {
        start(ConnectionLimits.management());
        NetSocket socket = open(port);
        Future<String> answer = everything(socket);
        socket.write("POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx");

        assertThat(wait(answer)).startsWith("HTTP/1.1 413 ");
    }

    @ParameterizedTest
    @ValueSource(ints = {METRICS, HEALTH})
    void the_oldest_connections_that_ask_nothing_make_way(int port) throws Exception {
        start(ConnectionLimits.management().withMost(3).within(NEVER, NEVER, NEVER));
        List<NetSocket> sockets = new ArrayList<>();
        List<Future<String>> closed = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sockets.add(open(port));
            closed.add(everything(sockets.get(i)));
        }
        wait(Future.all(closed.subList(0, 17)));

        assertThat(closed.get(19).isComplete()).isFalse();
        if (port == HEALTH) {
            assertThat(wait(firstBytes(sockets.get(19), PROBE))).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void methods_that_clients_make_up_are_counted_as_one() throws Exception {
        start(ConnectionLimits.management());
        NetSocket socket = open(HEALTH);
        wait(firstBytes(socket, PROBE.replace("GET", "MADEUP1")));
        wait(firstBytes(socket, PROBE.replace("GET", "MADEUP2")));
        wait(firstBytes(socket, PROBE));

        assertThat(meters.scrape())
                .contains("method=\"OTHER\"", "method=\"GET\"")
                .doesNotContain("MADEUP");
    }

    private void start(ConnectionLimits limits) throws Exception {
        server = new ManagementServer(vertx, nowhere, meters, Addresses.standard(), Programs.any(), limits);
        wait(server.start(
                new MetricsOptions(BindAddress.loopback(), true, Optional.empty(), false), BindAddress.loopback()));
    }

    private NetSocket open(int port) throws Exception {
        NetClient client = port == METRICS ? tls : plain;
        return wait(client.connect(server.ports().get(port), "127.0.0.1"));
    }

    private static Future<String> firstBytes(NetSocket socket, String request) {
        Promise<String> first = Promise.promise();
        socket.handler(bytes -> first.tryComplete(bytes.toString()));
        socket.write(request);
        return first.future();
    }

    /** All that comes until the server closes. */
    private static Future<String> everything(NetSocket socket) {
        Promise<String> promise = Promise.promise();
        Buffer all = Buffer.buffer();
        socket.handler(all::appendBuffer);
        socket.exceptionHandler(reset -> {});
        socket.closeHandler(closed -> promise.tryComplete(all.toString()));
        return promise.future();
    }

    private static <T> T wait(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
