package io.busbar.runtime.assembly;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.busbar.sandbox.faults.Fault;
import io.busbar.sandbox.http.ApiRequest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Namespaces that are added to and left by an operator that runs. */
@Timeout(300)
class WatchedNamespacesTest {

    private final Vertx vertx = Vertx.vertx();
    /** Completed when a reconcile of what is slow may end. */
    private final CompletableFuture<Void> goesOn = new CompletableFuture<>();

    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private Sandbox sandbox;
    private KubernetesClient client;
    private Operator operator;

    @BeforeEach
    void start() throws Exception {
        sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults()).await(60, SECONDS);
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build();
        for (String name : List.of("a", "b", "c")) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .create();
        }
        operator = new Operator(
                new OperatorEnvironment(vertx, client, Telemetry.registry(), Tracing.off(), "test", "test"),
                OperatorOptions.besideCluster("test").toBuilder()
                        .watchNamespaces(Set.of("a"))
                        .build(),
                List.of(bundle()));
        operator.start().await(60, SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        operator.stop().await(60, SECONDS);
        client.close();
        vertx.close().await(60, SECONDS);
    }

    @Test
    void one_that_is_added_is_listed_alone_and_reconciled() throws Exception {
        client.resource(map("b", "early")).create();
        client.resource(map("a", "first")).create();
        assertThat(called()).isEqualTo("reconcile a/first, 0 secrets");
        int before = sandbox.requests().size();

        operator.watchNamespaces(Set.of("a", "b")).await(60, SECONDS);
        assertThat(called()).isEqualTo("reconcile b/early, 0 secrets");
        client.resource(map("a", "second")).create();
        assertThat(called()).isEqualTo("reconcile a/second, 0 secrets");

        assertThat(sandbox.requests().subList(before, sandbox.requests().size()))
                .map(ApiRequest::toString)
                .anyMatch(request -> request.contains("/namespaces/b/configmaps"))
                .noneMatch(request -> request.contains("/namespaces/a/configmaps") && request.contains("watch"));
    }

    @Test
    void one_that_is_left_is_forgotten_and_not_cleaned_up() throws Exception {
        operator.watchNamespaces(Set.of("a", "b")).await(60, SECONDS);
        client.resource(map("a", "left")).create();
        assertThat(called()).isEqualTo("reconcile a/left, 0 secrets");

        operator.watchNamespaces(Set.of("b")).await(60, SECONDS);
        client.resource(map("a", "unseen")).create();
        client.configMaps().inNamespace("a").withName("left").edit(map -> {
            map.setData(Map.of("text", "edited"));
            return map;
        });
        client.resource(map("b", "seen")).create();
        assertThat(called()).isEqualTo("reconcile b/seen, 0 secrets");
        assertThat(client.configMaps()
                        .inNamespace("a")
                        .withName("left")
                        .get()
                        .getMetadata()
                        .getFinalizers())
                .containsExactly("example.com/test");

        operator.watchNamespaces(Set.of("a")).await(60, SECONDS);
        assertThat(List.of(called(), called()))
                .containsExactlyInAnyOrder("reconcile a/left, 0 secrets", "reconcile a/unseen, 0 secrets");
    }

    @Test
    void what_is_added_is_not_reconciled_before_all_that_belongs_to_it_is_listed() throws Exception {
        client.resource(map("b", "page")).create();
        client.resource(secret("b", "its")).create();
        for (String verb : List.of("list", "watch")) {
            sandbox.faults()
                    .inject(Fault.on(verb, "secrets")
                            .delayed(Duration.ofMillis(500))
                            .untilRemoved());
        }

        operator.watchNamespaces(Set.of("a", "b")).await(60, SECONDS);
        assertThat(called()).isEqualTo("reconcile b/page, 1 secrets");
    }

    @Test
    void all_can_be_watched_and_some_again() throws Exception {
        client.resource(map("c", "page")).create();
        operator.watchNamespaces(Set.of()).await(60, SECONDS);
        assertThat(called()).isEqualTo("reconcile c/page, 0 secrets");

        operator.watchNamespaces(Set.of("b")).await(60, SECONDS);
        client.resource(map("c", "unseen")).create();
        client.resource(map("b", "seen")).create();
        assertThat(called()).isEqualTo("reconcile b/seen, 0 secrets");
    }

    @Test
    void a_reconcile_that_runs_ends_before_its_namespace_is_left() throws Exception {
        client.resource(map("a", "slow")).create();
        assertThat(called()).isEqualTo("reconcile a/slow, 0 secrets");
        var left = operator.watchNamespaces(Set.of("b"));
        assertThat(left.isComplete()).isFalse();
        goesOn.complete(null);
        assertThat(called()).isEqualTo("done a/slow, still seen");
        left.await(60, SECONDS);
    }

    @Test
    void a_config_map_can_name_them() throws Exception {
        ConfigMap named = map("default", "namespaces");
        named.getMetadata().setLabels(Map.of("namespaces", "watched"));
        named.setData(Map.of("names", "b,c"));
        client.resource(named).create();

        client.resource(map("c", "page")).create();
        assertThat(called()).isEqualTo("reconcile c/page, 0 secrets");
    }

    private String called() throws InterruptedException {
        return String.valueOf(calls.poll(60, SECONDS));
    }

    private Bundle bundle() {
        Reconciler<ConfigMap> reconciler = new Reconciler<>() {
            @Override
            public ReconcileResult reconcile(ConfigMap map, ReconcileContext<ConfigMap> context) throws Exception {
                calls.add("reconcile " + context.key() + ", "
                        + context.lister(Secret.class)
                                .list(context.key().namespace())
                                .size()
                        + " secrets");
                if (context.key().name().equals("slow")) {
                    goesOn.get(60, SECONDS);
                    boolean seen =
                            context.lister(ConfigMap.class).get(context.key()).isPresent();
                    calls.add("done " + context.key() + (seen ? ", still seen" : ", gone"));
                }
                return ReconcileResult.awaitChange();
            }

            @Override
            public CleanupResult cleanup(ConfigMap map, ReconcileContext<ConfigMap> context) {
                calls.add("cleanup " + context.key());
                return CleanupResult.done();
            }
        };
        return new Bundle() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public List<Controller<?>> controllers(BundleContext context) {
                Controller<ConfigMap> driver = Controller.<ConfigMap>of(ConfigMap.class, (map, its) -> {
                            context.watchNamespaces(
                                    Set.of(map.getData().get("names").split(",")));
                            return ReconcileResult.awaitChange();
                        })
                        .named("namespaces")
                        .primaries(WatchSpec.of(ConfigMap.class)
                                .inNamespaces(Set.of("default"))
                                .withLabels("namespaces=watched"));
                return List.of(
                        driver,
                        Controller.of(ConfigMap.class, reconciler)
                                .primaries(WatchSpec.of(ConfigMap.class).withLabels("app=web"))
                                .reads(WatchSpec.of(Secret.class).withLabels("app=web"), List.of())
                                .finalizer("example.com/test"));
            }
        };
    }

    private static ConfigMap map(String namespace, String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(Map.of("app", "web"))
                .endMetadata()
                .build();
    }

    private static Secret secret(String namespace, String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(Map.of("app", "web"))
                .endMetadata()
                .build();
    }
}
