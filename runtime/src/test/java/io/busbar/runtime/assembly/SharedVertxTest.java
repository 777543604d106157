package io.busbar.runtime.assembly;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.admission.AdmissionDecision;
import io.busbar.common.trace.Tracing;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Webhook;
import io.busbar.runtime.options.BindAddress;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several operators in one Vert.x, each of which is as if it were alone. */
@KubernetesSandbox
class SharedVertxTest {

    private final Vertx vertx = Vertx.vertx();
    private final Deque<Operator> running = new ArrayDeque<>();

    @AfterEach
    void stop() throws Exception {
        while (!running.isEmpty()) {
            running.pop().stop().await(60, SECONDS);
        }
        vertx.close().await(60, SECONDS);
    }

    @Test
    void operators_with_different_bundles_reconcile_each_its_own(KubernetesClient client) throws Exception {
        BlockingQueue<String> maps = new LinkedBlockingQueue<>();
        BlockingQueue<String> secrets = new LinkedBlockingQueue<>();
        run(client, bundle("maps", Controller.of(ConfigMap.class, noting(maps))));
        run(client, bundle("secrets", Controller.of(Secret.class, noting(secrets))));

        client.resource(map("different")).create();
        client.resource(secret("different")).create();
        assertThat(next(maps, "different")).isEqualTo("different");
        assertThat(next(secrets, "different")).isEqualTo("different");
    }

    @Test
    void operators_with_the_same_bundle_reconcile_each_its_own_cluster(KubernetesClient here) throws Exception {
        Sandbox other = VertxSandbox.start(vertx, SandboxOptions.defaults()).await(60, SECONDS);
        try (KubernetesClient there = client(other)) {
            BlockingQueue<String> seenHere = new LinkedBlockingQueue<>();
            BlockingQueue<String> seenThere = new LinkedBlockingQueue<>();
            run(here, bundle("maps", Controller.of(ConfigMap.class, noting(seenHere))));
            run(there, bundle("maps", Controller.of(ConfigMap.class, noting(seenThere))));

            here.resource(map("here")).create();
            assertThat(next(seenHere, "here")).isEqualTo("here");
            there.resource(map("there")).create();
            assertThat(next(seenThere, "here", "there")).isEqualTo("there");
            here.resource(map("later")).create();
            assertThat(next(seenHere, "there", "later")).isEqualTo("later");

            running.pop().stop().await(60, SECONDS);
            here.resource(map("last")).create();
            assertThat(next(seenHere, "last")).isEqualTo("last");
            running.pop().stop().await(60, SECONDS);
        }
        other.close();
    }

    @Test
    void workers_of_one_are_not_taken_by_another(KubernetesClient client) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        BlockingQueue<String> first = new LinkedBlockingQueue<>();
        BlockingQueue<String> second = new LinkedBlockingQueue<>();
        run(
                client,
                bundle(
                        "maps",
                        Controller.<ConfigMap>of(ConfigMap.class, (map, its) -> {
                                    first.add(map.getMetadata().getName());
                                    go.await();
                                    return ReconcileResult.awaitChange();
                                })
                                .workers(1)));
        try {
            assertThat(first.poll(60, SECONDS)).isNotNull();
            run(
                    client,
                    bundle(
                            "maps",
                            Controller.of(ConfigMap.class, noting(second)).workers(1)));
            assertThat(second.poll(60, SECONDS)).isNotNull();
        } finally {
            go.countDown();
        }
    }

    @Test
    void what_a_reconcile_writes_while_it_is_stopped_is_reviewed_by_its_own_webhooks(KubernetesClient client)
            throws Exception {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("test-system")
                        .endMetadata()
                        .build())
                .create();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stops = new CountDownLatch(1);
        BlockingQueue<String> written = new LinkedBlockingQueue<>();
        Controller<ConfigMap> writer = Controller.of(ConfigMap.class, (map, its) -> {
            if (map.getMetadata().getName().equals("in-flight")) {
                begun.countDown();
                stops.await();
                for (int i = 0; i < 5; i++) {
                    Thread.sleep(100);
                    client.resource(secret("reviewed-" + i)).create();
                    written.add("reviewed-" + i);
                }
            }
            return ReconcileResult.awaitChange();
        });
        run(client, new Bundle() {
            @Override
            public String name() {
                return "reviewed";
            }

            @Override
            public List<Controller<?>> controllers(BundleContext context) {
                return List.of(writer);
            }

            @Override
            public List<Webhook> webhooks(BundleContext context) {
                return List.of(Webhook.mutating(Secret.class, request -> AdmissionDecision.allowed()));
            }
        });
        client.resource(map("in-flight")).create();
        assertThat(begun.await(60, SECONDS)).isTrue();

        Future<Void> stopped = running.pop().stop();
        stops.countDown();
        stopped.await(60, SECONDS);
        client.admissionRegistration().v1().mutatingWebhookConfigurations().delete();
        assertThat(written).hasSize(5);
    }

    @Test
    void a_port_of_one_is_taken_for_another(KubernetesClient client) throws Exception {
        int port = freePort();
        run(
                client,
                probedOn(port),
                bundle("maps", Controller.of(ConfigMap.class, noting(new LinkedBlockingQueue<>()))));
        Bundle same = bundle("maps", Controller.of(ConfigMap.class, noting(new LinkedBlockingQueue<>())));
        assertThatThrownBy(() -> run(client, probedOn(port), same))
                .hasMessage("cannot listen on 127.0.0.1:" + port + ": another operator in this Vert.x does");

        running.pop().stop().await(60, SECONDS);
        running.pop().stop().await(60, SECONDS);
        Bundle again = bundle("maps", Controller.of(ConfigMap.class, noting(new LinkedBlockingQueue<>())));
        assertThat(run(client, probedOn(port), again).management().ports()).contains(port);
    }

    @Test
    void a_registry_of_metrics_is_for_one_of_them(KubernetesClient client) {
        PrometheusMeterRegistry meters = Telemetry.registry();
        Bundle maps = bundle("maps", Controller.of(ConfigMap.class, noting(new LinkedBlockingQueue<>())));
        running.push(operator(client, OperatorOptions.besideCluster("test"), maps, meters));
        assertThatThrownBy(() -> operator(client, OperatorOptions.besideCluster("test"), maps, meters))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the same registry of metrics; allowed: one of its own for each");
    }

    /**
     * One that nobody has. Systems give outgoing connections ports from 32768 on, so that none of those gets it before
     * the operator does.
     */
    static int freePort() throws IOException {
        for (int tries = 1; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException taken) {
                if (tries == 100) {
                    throw taken;
                }
            }
        }
    }

    private static OperatorOptions probedOn(int port) {
        return OperatorOptions.besideCluster("test").toBuilder()
                .probes(new BindAddress("127.0.0.1", port, true))
                .build();
    }

    private void run(KubernetesClient client, Bundle bundle) throws Exception {
        run(client, OperatorOptions.besideCluster("test"), bundle);
    }

    private Operator run(KubernetesClient client, OperatorOptions options, Bundle bundle) throws Exception {
        Operator operator = operator(client, options, bundle, Telemetry.registry());
        running.push(operator);
        operator.start().await(60, SECONDS);
        return operator;
    }

    private Operator operator(
            KubernetesClient client, OperatorOptions options, Bundle bundle, PrometheusMeterRegistry meters) {
        return new Operator(
                new OperatorEnvironment(vertx, client, meters, Tracing.off(), "test", "test"),
                options,
                List.of(bundle));
    }

    private static <T extends HasMetadata> Reconciler<T> noting(BlockingQueue<String> names) {
        return (object, its) -> {
            names.add(object.getMetadata().getName());
            return ReconcileResult.awaitChange();
        };
    }

    /** The first of some names that comes; the cluster has objects of its own, and what other tests have left. */
    private static String next(BlockingQueue<String> names, String... any) throws InterruptedException {
        String name = names.poll(60, SECONDS);
        while (name != null && !List.of(any).contains(name)) {
            name = names.poll(60, SECONDS);
        }
        return String.valueOf(name);
    }

    private static Bundle bundle(String name, Controller<?> controller) {
        return new Bundle() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public List<Controller<?>> controllers(BundleContext context) {
                return List.of(controller);
            }
        };
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static KubernetesClient client(Sandbox sandbox) {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build();
    }
}
