package io.busbar.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BlockingSandboxTest {

    @Test
    void is_ready_once_it_has_started_and_tells_what_happened() {
        try (Sandbox sandbox = Sandbox.start();
                KubernetesClient client = client(sandbox)) {
            assertThat(client.nodes().list().getItems()).hasSize(3);
            assertThat(sandbox.report()).contains("GET /api/v1/nodes 200");
        }
    }

    @Test
    void ends_with_its_threads_and_can_be_closed_again() throws Exception {
        Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
        Sandbox sandbox = Sandbox.start(SandboxOptions.defaults().withNodes(0).withTls(false));
        Set<Thread> own = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> thread.getName().startsWith("vert.x"))
                .collect(Collectors.toSet());
        assertThat(own).isNotEmpty().allMatch(Thread::isDaemon);
        sandbox.close();
        assertThatCode(sandbox::close).doesNotThrowAnyException();
        assertThatThrownBy(sandbox::report)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the sandbox is closed");
        for (Thread thread : own) {
            thread.join(20_000);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
        assertThatCode(sandbox::close).doesNotThrowAnyException();
    }

    @Test
    void changes_by_requests_alone_once_its_controllers_are_stopped() throws Exception {
        try (Sandbox sandbox = Sandbox.start();
                KubernetesClient client = client(sandbox)) {
            client.pods().resource(pod("before")).create();
            client.pods()
                    .inNamespace("default")
                    .withName("before")
                    .waitUntilCondition(pod -> pod.getSpec().getNodeName() != null, 60, TimeUnit.SECONDS);
            sandbox.stopControllers();
            client.pods().resource(pod("after")).create();
            for (int i = 0; i < 20; i++) { // each a turn of its event loop, as a scheduler would have
                assertThat(client.pods()
                                .inNamespace("default")
                                .withName("after")
                                .get()
                                .getSpec()
                                .getNodeName())
                        .isNull();
            }
        }
    }

    @Test
    void says_why_it_cannot_start() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SandboxOptions options = SandboxOptions.defaults().withPort(taken.getLocalPort());
            assertThatThrownBy(() -> Sandbox.start(options))
                    .isInstanceOf(IllegalStateException.class)
                    .hasCauseInstanceOf(BindException.class);
        }
    }

    @Test
    void does_not_block_an_event_loop() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            Sandbox sandbox = VertxSandbox.start(
                            vertx, SandboxOptions.defaults().withNodes(0))
                    .await(60, TimeUnit.SECONDS);
            assertThatThrownBy(() -> onEventLoop(vertx, Sandbox::start))
                    .hasRootCauseMessage("this blocks, which an event loop must not: use VertxSandbox there");
            assertThatThrownBy(() -> onEventLoop(vertx, sandbox::close))
                    .hasRootCauseInstanceOf(IllegalStateException.class);
            VertxSandbox.close(sandbox).await(60, TimeUnit.SECONDS);
            sandbox.close();
        } finally {
            vertx.close().await(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void is_over_when_the_vertx_that_it_was_given_is() throws Exception {
        Vertx vertx = Vertx.vertx();
        Sandbox sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults().withNodes(0))
                .await(60, TimeUnit.SECONDS);
        vertx.close().await(60, TimeUnit.SECONDS);
        assertThatCode(sandbox::close).doesNotThrowAnyException();
    }

    @Test
    void can_be_closed_again_when_the_vertx_that_it_was_given_is_over() throws Exception {
        Vertx vertx = Vertx.vertx();
        Sandbox sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults().withNodes(0))
                .await(60, TimeUnit.SECONDS);
        sandbox.close();
        vertx.close().await(60, TimeUnit.SECONDS);
        assertThatCode(sandbox::close).doesNotThrowAnyException();
    }

    private static void onEventLoop(Vertx vertx, Runnable task) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        vertx.runOnContext(turn -> {
            try {
                task.run();
                done.complete(null);
            } catch (RuntimeException | AssertionError e) {
                done.completeExceptionally(e);
            }
        });
        done.get(60, TimeUnit.SECONDS);
    }

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("i")
                .endContainer()
                .endSpec()
                .build();
    }

    private static KubernetesClient client(Sandbox sandbox) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build();
    }
}
