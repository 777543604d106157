package io.busbar.sandbox.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ManualClockTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Vertx VERTX = Vertx.vertx();
    private static final ManualClock CLOCK = ManualClock.at(START);
    private static KubernetesClient client;

    @BeforeAll
    static void start() throws Exception {
        Sandbox sandbox = get(VertxSandbox.start(
                VERTX, SandboxOptions.defaults().withTls(false).withClock(CLOCK)));
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build();
    }

    @AfterAll
    static void stop() {
        client.close();
        VERTX.close();
    }

    @Test
    void pods_wait_and_run_by_it() throws Exception {
        client.resource(pod("slow", Map.of("fake-kubelet/delay", "60", "fake-kubelet/run-for", "3600")))
                .create();
        get(CLOCK.advance(Duration.ofSeconds(59)));
        assertThat(phase("slow")).isEqualTo("Pending");
        get(CLOCK.advance(Duration.ofSeconds(2)));
        assertThat(phase("slow")).isEqualTo("Running");
        get(CLOCK.advance(Duration.ofMinutes(59)));
        assertThat(phase("slow")).isEqualTo("Running");
        get(CLOCK.advance(Duration.ofMinutes(2)));
        assertThat(phase("slow")).isEqualTo("Succeeded");
    }

    @Test
    void one_advance_goes_through_a_chain_of_waits() throws Exception {
        client.resource(pod("chain", Map.of("fake-kubelet/delay", "60", "fake-kubelet/run-for", "3600")))
                .create();
        get(CLOCK.advance(Duration.ofHours(2)));
        Pod pod = client.pods().inNamespace("default").withName("chain").get();
        assertThat(pod.getStatus().getPhase()).isEqualTo("Succeeded");
        Instant created = Instant.parse(pod.getMetadata().getCreationTimestamp());
        assertThat(Instant.parse(pod.getStatus().getStartTime())).isEqualTo(created.plusSeconds(60));
    }

    @Test
    void timestamps_are_its_own() {
        Pod pod = client.resource(pod("stamped", Map.of())).create();
        assertThat(Instant.parse(pod.getMetadata().getCreationTimestamp()))
                .isBetween(START, START.plus(Duration.ofDays(1)));
    }

    @Test
    void timers_fire_in_order_of_time_and_those_cancelled_do_not() throws Exception {
        ManualClock clock = ManualClock.at(START);
        List<String> fired = new ArrayList<>();
        Promise<Void> set = Promise.promise();
        VERTX.runOnContext(turn -> {
            ClusterClock cluster = clock.on(VERTX.getOrCreateContext()).clock();
            cluster.after(Duration.ofSeconds(2), () -> fired.add("b at " + clock.instant()));
            cluster.after(Duration.ofSeconds(1), () -> {
                fired.add("a at " + clock.instant());
                cluster.after(Duration.ofSeconds(2), () -> fired.add("c at " + clock.instant()));
            });
            cluster.after(Duration.ofSeconds(1), () -> fired.add("cancelled")).run();
            set.complete();
        });
        get(set.future());
        get(clock.advance(Duration.ofSeconds(3)));
        assertThat(fired)
                .containsExactly(
                        "a at " + START.plusSeconds(1), "b at " + START.plusSeconds(2), "c at " + START.plusSeconds(3));
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(3));
    }

    @Test
    void advances_wait_for_each_other() throws Exception {
        ManualClock clock = ManualClock.at(START);
        CompletableFuture<Void> first = clock.advance(Duration.ofSeconds(1));
        CompletableFuture<Void> second = clock.advance(Duration.ofSeconds(1));
        get(clock.advance(Duration.ofSeconds(1)));
        assertThat(List.of(first, second)).allMatch(CompletableFuture::isDone);
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(3));
        assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    private static String phase(String name) {
        return client.pods()
                .inNamespace("default")
                .withName(name)
                .get()
                .getStatus()
                .getPhase();
    }

    private static Pod pod(String name, Map<String, String> annotations) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("c")
                .withImage("x")
                .endContainer()
                .endSpec()
                .build();
    }

    private static <T> T get(Future<T> future) throws Exception {
        return get(future.toCompletionStage());
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
