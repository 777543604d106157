package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.operator.Main;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.bundled.DeclaredParts;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetSpec;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Operators as {@code run} runs them that were not told to elect a leader, each of which is meant to be the only one.
 */
class LoneOperatorsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String NAMESPACE = "busbar-system";
    private static final String LEASE = "busbar-leader-election";

    private final Vertx vertx = Vertx.vertx();
    private final List<One> running = new ArrayList<>();
    private KubernetesClient client;

    /** One of them. */
    private final class One {

        private final StandaloneOperator operator;

        One(String... flags) throws Exception {
            PrintWriter nowhere = new PrintWriter(new StringWriter());
            List<String> all = Stream.concat(
                            Stream.of(
                                    "--operators=podset",
                                    "--webhook-certs=none",
                                    "--metrics-bind-address=127.0.0.1:0",
                                    "--metrics-secure=false",
                                    "--health-probe-bind-address=127.0.0.1:0",
                                    "--leader-election-retry-period=50ms"),
                            Arrays.stream(flags))
                    .toList();
            operator = new StandaloneOperator(
                    Bundled.operator(),
                    client.getConfiguration(),
                    Main.program().commandLine(Map.of(), nowhere, nowhere).options(all.toArray(String[]::new)));
            running.add(this);
            get(vertx.executeBlocking(() -> {
                operator.start();
                return true;
            }));
        }

        /** Who does not reconcile writes nothing. */
        long reconciles() {
            return ask("/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("controller_runtime_reconcile_total{"))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
        }

        boolean isReady() {
            return ask("/readyz").statusCode() == 200;
        }

        private HttpResponse<String> ask(String path) {
            // The same for both, as their addresses are the same.
            int port = operator.managementPorts().get(0);
            try {
                return HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                        .build(),
                                BodyHandlers.ofString());
            } catch (IOException | InterruptedException failure) {
                throw new IllegalStateException(failure);
            }
        }

        void stop() throws Exception {
            running.remove(this);
            operator.stop();
        }
    }

    @BeforeEach
    void start() throws Exception {
        Sandbox sandbox = get(VertxSandbox.start(vertx, SandboxOptions.defaults()));
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build();
        CrdGenerator.generate(Bundled.operator().bundles().stream()
                        .filter(one -> one.name().equals("podset"))
                        .flatMap(one -> DeclaredParts.of(one).types().stream())
                        .toList())
                .forEach(definition -> client.resource(definition).create());
    }

    @AfterEach
    void stop() throws Exception {
        for (One one : List.copyOf(running)) {
            one.stop();
        }
        client.close();
        get(vertx.close());
    }

    @Test
    void of_two_only_one_writes_and_the_other_goes_on_when_that_ends() throws Exception {
        makeNamespace();
        One first = new One();
        reconciles("before");
        One second = new One();
        reconciles("beside");
        // So that a rolling update, which waits for the new Pod, ends the old one.
        assertThat(second.isReady()).isTrue();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(first.reconciles()).isPositive());
        assertThat(second.reconciles()).isZero();

        first.stop();
        reconciles("after");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(second.reconciles()).isPositive());
    }

    @Test
    void one_that_elects_a_leader_and_one_that_does_not_see_each_other() throws Exception {
        makeNamespace();
        One elected = new One("--leader-elect");
        reconciles("before");
        One alone = new One();
        reconciles("beside");
        assertThat(alone.reconciles()).isZero();
        elected.stop();
        reconciles("after");

        One other = new One("--leader-elect");
        reconciles("last");
        assertThat(other.reconciles()).isZero();
    }

    @Test
    void one_writes_without_a_lease_where_none_can_be_held() throws Exception {
        One alone = new One();
        reconciles("set");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(alone.reconciles()).isPositive());
        assertThat(lease()).isNull();
    }

    @Test
    void one_that_is_told_so_takes_no_lease_and_heeds_none() throws Exception {
        makeNamespace();
        new One();
        reconciles("before");
        String held = lease().getSpec().getHolderIdentity();
        One heedless = new One("--no-lease");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(heedless.reconciles()).isPositive());
        assertThat(lease().getSpec().getHolderIdentity()).isEqualTo(held);
    }

    private void makeNamespace() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
    }

    private @Nullable Lease lease() {
        return client.leases().inNamespace(NAMESPACE).withName(LEASE).get();
    }

    private void reconciles(String name) {
        PodSet set = new PodSet();
        set.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        set.setSpec(new PodSetSpec(2));
        client.resource(set).create();
        await().atMost(PATIENCE).untilAsserted(() -> {
            PodSet now = client.resource(set).get();
            assertThat(now.getStatus()).isNotNull();
            assertThat(now.getStatus().replicas()).isEqualTo(2);
        });
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
