package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.busbar.common.ObjectKey;
import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.bundled.DeclaredParts;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetSpec;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole operator on a cluster where kinds are installed, and removed, while it runs. */
class LateKindsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Vertx vertx = Vertx.vertx();
    private KubernetesClient client;
    private @Nullable StandaloneOperator operator;

    @BeforeEach
    void start() throws Exception {
        Sandbox sandbox = get(VertxSandbox.start(vertx, SandboxOptions.defaults()));
        client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(sandbox.kubeconfig()))
                .build();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(OperatorOptions.besideCluster("busbar").namespace())
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void stop() throws Exception {
        if (operator != null) {
            operator.stop();
        }
        client.close();
        get(vertx.close());
    }

    @Test
    void a_kind_that_is_installed_later_is_reconciled_without_a_restart() throws Exception {
        install("sidecarset");
        run(Set.of());
        injects("early");
        install("podset");
        reconciles("late");
        injects("still");
    }

    @Test
    void a_webhook_answers_once_its_kind_is_installed() throws Exception {
        install("podset");
        run(Set.of());
        reconciles("early");
        install("sidecarset");
        injects("late");
        reconciles("still");
    }

    @Test
    void an_operator_that_is_named_and_not_installed_holds_up_no_other() throws Exception {
        install("podset");
        run(Set.of("podset", "sidecarset"));
        reconciles("early");
        HttpResponse<String> ready = ready();
        assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
        assertThat(ready.body()).contains("[+]kinds ok: not installed: SidecarSet\n");
        install("sidecarset");
        injects("late");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(ready().body()).contains("[+]kinds ok\n"));
    }

    @Test
    void webhooks_answer_while_a_named_operator_is_not_installed() throws Exception {
        install("sidecarset");
        run(Set.of("podset", "sidecarset"));
        injects("early");
        install("podset");
        reconciles("late");
    }

    @Test
    void a_definition_that_is_not_established_is_waited_for() throws Exception {
        install("sidecarset");
        CustomResourceDefinition podsets = definitions("podset").get(0);
        CustomResourceDefinition namesake = Serialization.clone(podsets);
        namesake.getMetadata().setName("others." + podsets.getSpec().getGroup());
        namesake.getSpec().getNames().setPlural("others");
        namesake.getSpec().getNames().setSingular("other");
        client.resource(namesake).create();
        client.resource(namesake).waitUntilCondition(LateKindsTest::established, 90, TimeUnit.SECONDS);
        client.resource(podsets).create();
        run(Set.of("podset", "sidecarset"));
        injects("early");
        assertThat(established(client.resource(podsets).get()))
                .as("its kind is taken")
                .isFalse();
        client.resource(namesake).delete();
        client.resource(podsets).waitUntilCondition(LateKindsTest::established, 90, TimeUnit.SECONDS);
        reconciles("late");
    }

    @Test
    void a_kind_that_is_removed_hurts_no_other_and_goes_on_when_it_is_back() throws Exception {
        install("sidecarset");
        install("podset");
        run(Set.of());
        reconciles("before");
        definitions("podset").forEach(definition -> client.resource(definition).delete());
        await().atMost(PATIENCE)
                .until(() -> client.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .withName("podsets.apps.jicki.cn")
                                .get()
                        == null);
        injects("meanwhile");
        assertThat(ready().statusCode()).isEqualTo(200);
        install("podset");
        reconciles("after");
    }

    @Test
    void who_does_not_lead_stands_by_with_a_late_kind_too() throws Exception {
        Lease taken = new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(OperatorOptions.besideCluster("busbar").namespace())
                .withName("late")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("somebody else")
                .withLeaseDurationSeconds(3_600)
                .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                .endSpec()
                .build();
        client.resource(taken).create();
        install("sidecarset");
        run(OperatorOptions.besideCluster("busbar").toBuilder()
                .operators(Set.of("podset", "sidecarset"))
                .leaderElection(LeaderElectionOptions.of(ObjectKey.of(taken)))
                .build());
        install("podset");
        create("led", 1);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(ready().body()).contains("[+]kinds ok\n"));
        assertThat(pods("led")).isEmpty();
        // As by a leader that is stopped.
        client.resource(taken)
                .edit(lease -> new LeaseBuilder(lease)
                        .editSpec()
                        .withHolderIdentity("")
                        .withLeaseDurationSeconds(1)
                        .endSpec()
                        .build());
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(pods("led")).hasSize(1));
    }

    private void run(Set<String> operators) throws Exception {
        run(OperatorOptions.besideCluster("busbar").toBuilder()
                .operators(operators)
                .build());
    }

    private void run(OperatorOptions options) throws Exception {
        StandaloneOperator made = new StandaloneOperator(Bundled.operator(), client.getConfiguration(), options);
        operator = made;
        // Not on this thread: a start that waits for ever is to fail the test, not to hang it.
        get(vertx.executeBlocking(() -> {
            made.start();
            return true;
        }));
    }

    private HttpResponse<String> ready() throws Exception {
        List<Integer> ports = operator.managementPorts();
        URI url = URI.create("http://127.0.0.1:" + ports.get(ports.size() - 1) + "/readyz?verbose");
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
    }

    private void install(String bundle) {
        for (CustomResourceDefinition definition : definitions(bundle)) {
            client.resource(definition).create();
            client.resource(definition).waitUntilCondition(LateKindsTest::established, 90, TimeUnit.SECONDS);
        }
    }

    private static List<CustomResourceDefinition> definitions(String bundle) {
        return CrdGenerator.generate(Bundled.operator().bundles().stream()
                .filter(one -> one.name().equals(bundle))
                .flatMap(one -> DeclaredParts.of(one).types().stream())
                .toList());
    }

    private static boolean established(@Nullable CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    private void reconciles(String name) {
        create(name, 2);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(pods(name)).as("Pods of " + name).hasSize(2));
    }

    private void create(String name, int size) {
        PodSet set = new PodSet();
        set.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        set.setSpec(new PodSetSpec(size));
        client.resource(set).create();
    }

    private List<Pod> pods(String name) {
        return client.pods().inNamespace("default").list().getItems().stream()
                .filter(pod -> pod.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getName().equals(name)))
                .toList();
    }

    /** A set is defaulted, and a Pod gets its container. */
    private void injects(String name) {
        SidecarSet set = Serialization.unmarshal("""
                apiVersion: apps.kruise.io/v1beta1
                kind: SidecarSet
                metadata: {name: %1$s}
                spec:
                  selector: {matchLabels: {app: %1$s}}
                  containers: [{name: agent, image: example/agent:1}]
                """.formatted(name), SidecarSet.class);
        await().atMost(PATIENCE).untilAsserted(() -> {
            client.resource(set).delete();
            SidecarSet created = client.resource(set).create();
            assertThat(created.getMetadata().getAnnotations()).as("defaulted").isNotEmpty();
        });
        await().atMost(PATIENCE).untilAsserted(() -> {
            Pod pod = new PodBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withGenerateName(name + "-")
                    .addToLabels("app", name)
                    .endMetadata()
                    .withNewSpec()
                    .withContainers(new ContainerBuilder()
                            .withName("main")
                            .withImage("example/main:1")
                            .build())
                    .endSpec()
                    .build();
            assertThat(client.resource(pod).create().getSpec().getContainers())
                    .as("containers of a Pod")
                    .hasSize(2);
        });
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
