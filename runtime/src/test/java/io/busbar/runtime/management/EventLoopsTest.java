package io.busbar.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.admission.server.ConnectionLimits;
import io.busbar.common.bus.Addresses;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.MetricsOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** /healthz, when an event loop is blocked that is not the probe's own. */
class EventLoopsTest {

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(4));
    private final HttpClient http = HttpClient.newHttpClient();
    private final KubernetesClient nobody =
            new KubernetesClientBuilder().withConfig(Config.empty()).build();
    private final List<EventExecutor> loops = new ArrayList<>();
    private ManagementServer server;

    @BeforeEach
    void start() throws Exception {
        ((VertxInternal) vertx).nettyEventLoopGroup().forEach(loops::add);
        server = new ManagementServer(
                vertx,
                nobody,
                Telemetry.registry(),
                Addresses.standard(),
                Programs.any(),
                ConnectionLimits.management(),
                Duration.ofMillis(300));
        server.start(MetricsOptions.plain(BindAddress.loopback()), BindAddress.loopback())
                .await(60, TimeUnit.SECONDS);
        // The port's own loop is asked on: what is blocked there cannot answer at all.
        loops.remove(serving());
        assertThat(loops).hasSize(3);
    }

    @AfterEach
    void stop() throws Exception {
        server.stop().await(60, TimeUnit.SECONDS);
        vertx.close().await(60, TimeUnit.SECONDS);
        nobody.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void health_fails_while_one_loop_of_several_is_blocked_and_recovers(int blocked) throws Exception {
        // The threads of some loops start only now.
        await().atMost(Duration.ofSeconds(60)).until(() -> healthz().statusCode() == 200);

        CountDownLatch release = new CountDownLatch(1);
        String thread = block(loops.get(blocked), release);
        HttpResponse<String> sick = healthz();
        assertThat(sick.statusCode()).isEqualTo(500);
        assertThat(sick.body())
                .contains("[+]ping ok", "[-]event-loops failed: no answer within 300 ms from " + thread + "\n");

        release.countDown();
        await().atMost(Duration.ofSeconds(60)).until(() -> healthz().statusCode() == 200);
    }

    @Test
    void names_each_that_is_blocked() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        String one = block(loops.get(0), release);
        String other = block(loops.get(2), release);

        assertThat(healthz().body()).contains(one + ", " + other);
        assertThat(healthz().body()).as("asked once more").contains(one + ", " + other);
        release.countDown();
    }

    /** Gives the name of its thread once it is. */
    private static String block(EventExecutor loop, CountDownLatch release) throws Exception {
        CountDownLatch isBlocked = new CountDownLatch(1);
        String[] name = {""};
        loop.execute(() -> {
            name[0] = Thread.currentThread().getName();
            isBlocked.countDown();
            try {
                release.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(isBlocked.await(60, TimeUnit.SECONDS)).isTrue();
        return name[0];
    }

    /** The loop that answers. */
    private EventExecutor serving() throws Exception {
        String[] thread = {""};
        server.readyWhen("loop", () -> {
            thread[0] = Thread.currentThread().getName();
            return io.vertx.core.Future.succeededFuture(java.util.Optional.empty());
        });
        get("/readyz");
        for (EventExecutor loop : loops) {
            if (loop.submit(() -> Thread.currentThread().getName()).get().equals(thread[0])) {
                return loop;
            }
        }
        throw new AssertionError("answered by " + thread[0]);
    }

    private HttpResponse<String> healthz() throws Exception {
        return get("/healthz?verbose");
    }

    private HttpResponse<String> get(String path) throws Exception {
        int port = server.ports().get(server.ports().size() - 1);
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return http.send(
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
    }
}
