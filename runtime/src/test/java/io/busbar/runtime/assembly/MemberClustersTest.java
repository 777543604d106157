package io.busbar.runtime.assembly;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Addresses;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.leader.FencedException;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.runtime.telemetry.Telemetry;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One operator that works in several clusters: its own, and two others. */
@Timeout(300)
class MemberClustersTest {

    private static final Map<String, String> LABELS = Map.of("app", "web");
    private static final WatchSpec<ConfigMap> MAPS =
            WatchSpec.of(ConfigMap.class).withLabels("app=web");
    private static final WatchSpec<Secret> SECRETS = WatchSpec.of(Secret.class).withLabels("app=web");

    private final Vertx vertx = Vertx.vertx();
    private final PrometheusMeterRegistry meters = Telemetry.registry();
    private final Set<ObjectKey> reconciled = ConcurrentHashMap.newKeySet();
    private Sandbox east;
    private KubernetesClient atHome;
    private KubernetesClient inEast;
    private KubernetesClient inWest;
    private Operator operator;

    @BeforeEach
    void start() throws Exception {
        atHome = client(sandbox());
        east = sandbox();
        inEast = client(east);
        inWest = client(sandbox());
    }

    @AfterEach
    void stop() throws Exception {
        if (operator != null) {
            operator.stop().await(60, SECONDS);
        }
        List.of(atHome, inEast, inWest).forEach(KubernetesClient::close);
        vertx.close().await(60, SECONDS);
    }

    @Test
    void primaries_of_several_clusters_are_reconciled_each_in_its_own() throws Exception {
        run(context -> Controller.of(ConfigMap.class, this::copyToSecret)
                .primaries(MAPS)
                .clusters(context.clusters())
                .owns(SECRETS));
        atHome.resource(map("same", "home")).create();
        inEast.resource(map("same", "east")).create();
        inWest.resource(map("same", "west")).create();

        assertThat(secret(inEast, "same", "east").getMetadata().getOwnerReferences())
                .hasSize(1);
        assertThat(secret(inWest, "same", "west").getMetadata().getOwnerReferences())
                .hasSize(1);
        inEast.resource(map("same", "east again")).update();
        secret(inEast, "same", "east again");
        inWest.secrets().inNamespace("default").withName("same").delete();
        secret(inWest, "same", "west");

        assertThat(reconciled)
                .containsExactlyInAnyOrder(
                        ObjectKey.of("default", "same").in("east"),
                        ObjectKey.of("default", "same").in("west"));
        assertThat(atHome.secrets().inNamespace("default").withName("same").get())
                .isNull();
        assertThat(meters.scrape()).contains("name=\"configmaps@east\"", "name=\"secrets@west\"");
    }

    @Test
    void a_hub_writes_to_its_members_and_hears_of_what_changes_there() throws Exception {
        run(this::hub);
        atHome.resource(map("page", "one")).create();

        assertThat(secret(inEast, "page", "one").getMetadata().getOwnerReferences())
                .isEmpty();
        secret(inWest, "page", "one");
        inWest.secrets().inNamespace("default").withName("page").delete();
        secret(inWest, "page", "one");
        atHome.resource(map("page", "two")).update();
        secret(inEast, "page", "two");
        secret(inWest, "page", "two");

        inEast.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("foreign")
                        .endMetadata()
                        .addToStringData("text", "somebody else's")
                        .build())
                .create();
        atHome.resource(map("foreign", "one")).create();
        secret(inWest, "foreign", "one");
        assertThat(inEast.secrets()
                        .inNamespace("default")
                        .withName("foreign")
                        .get()
                        .getMetadata()
                        .getLabels())
                .isNullOrEmpty();
    }

    @Test
    void one_that_is_away_at_the_start_holds_up_no_other_and_is_reconciled_once_it_is_there() throws Exception {
        inEast.resource(map("a", "east")).create();
        east.faults().stop().get(60, SECONDS);
        run(context -> Controller.of(ConfigMap.class, this::copyToSecret)
                .primaries(MAPS)
                .clusters(Set.of("", "east", "west"))
                .owns(SECRETS));

        atHome.resource(map("a", "home")).create();
        inWest.resource(map("a", "west")).create();
        secret(atHome, "a", "home");
        secret(inWest, "a", "west");
        assertThat(ready())
                .contains("[+]clusters ok", "configmaps@east not listed yet")
                .contains("readyz check passed");

        east.faults().start().get(60, SECONDS);
        secret(inEast, "a", "east");
    }

    @Test
    void a_hub_goes_on_with_the_others_while_one_is_away() throws Exception {
        run(this::hub);
        atHome.resource(map("page", "one")).create();
        secret(inEast, "page", "one");
        secret(inWest, "page", "one");

        east.faults().stop().get(60, SECONDS);
        atHome.resource(map("page", "two")).update();
        secret(inWest, "page", "two");
        east.faults().start().get(60, SECONDS);
        secret(inEast, "page", "two");
    }

    @Test
    void a_namespace_that_is_added_does_not_wait_for_a_cluster_that_is_away() throws Exception {
        run(context -> Controller.of(ConfigMap.class, this::copyToSecret)
                .primaries(MAPS)
                .clusters(context.clusters())
                .owns(SECRETS));
        operator.watchNamespaces(Set.of("kube-public")).await(60, SECONDS);
        east.faults().stop().get(60, SECONDS);
        inWest.resource(map("a", "west")).create();
        Future<Void> listed = operator.watchNamespaces(Set.of("kube-public", "default"));

        secret(inWest, "a", "west");
        assertThat(listed.isComplete()).isFalse();
        east.faults().start().get(60, SECONDS);
        listed.await(60, SECONDS);
        inEast.resource(map("a", "east")).create();
        secret(inEast, "a", "east");
    }

    @Test
    void what_is_not_listed_yet_cannot_be_counted() throws Exception {
        east.faults().stop().get(60, SECONDS);
        Set<String> failures = ConcurrentHashMap.newKeySet();
        run(context -> Controller.<ConfigMap>of(ConfigMap.class, (map, its) -> {
                    try {
                        its.in("east").lister(Secret.class).list();
                    } catch (KubernetesClientException away) {
                        failures.add(String.valueOf(away.getMessage()));
                    }
                    assertThatThrownBy(() -> its.in("south")).hasMessageContaining("there is no cluster 'south'");
                    failures.add("done");
                    return ReconcileResult.awaitChange();
                })
                .primaries(MAPS)
                .watches(SECRETS.inCluster("east"), KeyMapping.self()));
        atHome.resource(map("a", "")).create();
        await().atMost(Duration.ofSeconds(60)).until(() -> failures.contains("done"));
        assertThat(failures).containsExactlyInAnyOrder("cluster east is not listed yet", "done");
    }

    @Test
    void nothing_is_written_to_any_before_this_replica_leads() {
        Leadership leadership =
                new Leadership(environment(), Optional.of(LeaderElectionOptions.of(ObjectKey.of("default", "lease"))));
        KubernetesClient writer = Objects.requireNonNull(leadership.writers().get("east"));
        try (writer) {
            assertThatThrownBy(() -> writer.resource(map("fenced", "")).create())
                    .isInstanceOf(FencedException.class);
        }
        leadership.writer().close();
        assertThat(inEast.configMaps().inNamespace("default").withName("fenced").get())
                .isNull();
    }

    @Test
    void a_controller_of_an_unknown_cluster_is_refused() {
        operator = operator(context -> Controller.of(ConfigMap.class, this::copyToSecret)
                .primaries(MAPS)
                .clusters(Set.of("south")));
        assertThatThrownBy(() -> operator.start().await(60, SECONDS))
                .hasMessageContaining("controller configmap: clusters")
                .hasMessageContaining("south")
                .hasMessageContaining("east, west");
    }

    @Test
    void the_name_of_a_cluster_is_checked() {
        assertThatThrownBy(() -> new OperatorEnvironment(
                        vertx, atHome, Map.of("East", inEast), meters, Tracing.off(), "test", "test"))
                .hasMessageContaining("'East', allowed: 1 to 63 lower-case letters");
    }

    @Test
    void addresses_are_those_of_the_cluster() {
        Addresses own = Addresses.standard();
        assertThat(own.in("east").changes(MAPS.resource())).isEqualTo("busbar.changes.configmaps@east");
        assertThat(own.in("").changes(MAPS.resource())).isEqualTo("busbar.changes.configmaps");
        assertThat(own.in("east").requests("a")).isEqualTo(own.requests("a"));
    }

    private ReconcileResult copyToSecret(ConfigMap map, ReconcileContext<ConfigMap> context) {
        reconciled.add(context.key());
        assertThat(context.lister(ConfigMap.class).get(context.key())).isPresent();
        context.apply(secretOf(map));
        return ReconcileResult.awaitChange();
    }

    /** Copies each of its maps to all members, and says at last what has failed. */
    private Controller<ConfigMap> hub(BundleContext clusters) {
        Controller<ConfigMap> controller = Controller.<ConfigMap>of(ConfigMap.class, (map, context) -> {
                    KubernetesClientException failed = null;
                    for (String member : clusters.clusters()) {
                        try {
                            context.in(member).apply(secretOf(map));
                        } catch (KubernetesClientException failure) {
                            failed = failure;
                        }
                    }
                    if (failed != null) {
                        throw failed;
                    }
                    return ReconcileResult.awaitChange();
                })
                .primaries(MAPS);
        clusters.clusters().forEach(member -> controller.watches(SECRETS.inCluster(member), KeyMapping.self()));
        return controller;
    }

    private void run(Function<BundleContext, Controller<?>> controller) throws Exception {
        operator = operator(controller);
        operator.start().await(60, SECONDS);
    }

    private Operator operator(Function<BundleContext, Controller<?>> controller) {
        return new Operator(environment(), OperatorOptions.besideCluster("test"), List.of(new Bundle() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public List<Controller<?>> controllers(BundleContext context) {
                return List.of(controller.apply(context));
            }
        }));
    }

    private OperatorEnvironment environment() {
        return new OperatorEnvironment(
                vertx, atHome, Map.of("east", inEast, "west", inWest), meters, Tracing.off(), "test", "test");
    }

    private String ready() throws Exception {
        int port = operator.management().ports().get(0);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz?verbose"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** Waits for what becomes of a map. */
    private static Secret secret(KubernetesClient client, String name, String text) {
        return Objects.requireNonNull(client.secrets()
                .inNamespace("default")
                .withName(name)
                .waitUntilCondition(
                        secret -> secret != null
                                && text.equals(
                                        secret.getMetadata().getAnnotations().get("text")),
                        30,
                        SECONDS));
    }

    private static Secret secretOf(ConfigMap map) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(map.getMetadata().getNamespace())
                .withName(map.getMetadata().getName())
                .withLabels(LABELS)
                .withAnnotations(Map.of("text", map.getData().get("text")))
                .endMetadata()
                .build();
    }

    private static ConfigMap map(String name, String text) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .withLabels(LABELS)
                .endMetadata()
                .withData(Map.of("text", text))
                .build();
    }

    private Sandbox sandbox() throws Exception {
        return VertxSandbox.start(vertx, SandboxOptions.defaults()).await(60, SECONDS);
    }

    private static KubernetesClient client(Sandbox sandbox) {
        Config config = Config.fromKubeconfig(sandbox.kubeconfig());
        config.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
