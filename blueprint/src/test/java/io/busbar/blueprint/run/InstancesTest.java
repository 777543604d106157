package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static io.busbar.blueprint.run.BlueprintCluster.ready;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What becomes of instances: on a simulated cluster, whose Pods become ready by themselves. */
@TestInstance(Lifecycle.PER_CLASS)
class InstancesTest {

    private static final String CONFIGURED = Blueprints.with("""
                    spec:
                      divisor: integer | default=1
                    status:
                      greeting: ${copy.data.greeting}
                    """, """
                    - id: shared
                      externalRef:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: shared}
                    - id: copy
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}-copy"}
                        data:
                          greeting: ${shared.data.greeting}
                          share: ${string(100 / schema.spec.divisor)}
                    """).replace("kind: Test", "kind: Greeting");

    private static final String SPREAD = Blueprints.with("""
                    spec:
                      names: "[]string"
                    """, """
                    - id: maps
                      forEach:
                        - name: ${schema.spec.names}
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}-${name}"}
                        data: {name: "${name}"}
                    """).replace("kind: Test", "kind: Spread");

    private static final String TWINS = Blueprints.with("""
                    spec:
                      names: "[]string"
                    """, """
                    - id: first
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}"}
                    - id: second
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.spec.names[0]}"}
                    """).replace("kind: Test", "kind: Twins");

    /** Of what is made first, one object is refused; one reads it, and another is in a namespace that comes last. */
    private static final String REFUSED = Blueprints.with("""
                    spec:
                      name: string
                    """, """
                    - id: bad
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.spec.name}"}
                        data: {a: b}
                    - id: reader
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}-reader"}
                        data: {a: "${bad.data.a}"}
                    - id: late
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: inside, namespace: "${schema.metadata.name}-late"}
                    - id: home
                      template:
                        apiVersion: v1
                        kind: Namespace
                        metadata: {name: "${schema.metadata.name}-late"}
                    """).replace("kind: Test", "kind: Refused");

    /** Its account may not do anything at first. */
    private static final String ALLOWED = Blueprints.with("", """
                    - id: secret
                      template:
                        apiVersion: v1
                        kind: Secret
                        metadata: {name: "${schema.metadata.name}"}
                    """)
            .replace("kind: Test", "kind: Keeper")
            .replace("spec:\n  schema", "spec:\n  serviceAccountName: keepers\n  schema");

    @AutoClose
    private final BlueprintCluster cluster =
            new BlueprintCluster(SandboxOptions.defaults().withRbac(true));

    @BeforeAll
    void run() throws Exception {
        cluster.run(
                Blueprints.checked(Blueprints.file("web-application.yaml").replace("serviceAccountName", "#")),
                Blueprints.named("configured", CONFIGURED),
                Blueprints.named("spread", SPREAD),
                Blueprints.named("twins", TWINS),
                Blueprints.named("refused", REFUSED),
                Blueprints.named("allowed", ALLOWED));
    }

    @Test
    void makes_what_an_instance_asks_for_and_takes_away_what_it_asks_for_no_more() {
        cluster.write("""
                apiVersion: shop.example.com/v1alpha1
                kind: WebApplication
                metadata: {name: shop, namespace: default}
                spec: {name: shop, replicas: 2, ingress: {enabled: true}}
                """);
        eventually(() -> {
            JsonNode shop = cluster.json("shop.example.com/v1alpha1", "WebApplication", "shop");
            assertThat(ready(shop)).isEqualTo("True Ready all resources are ready");
            assertThat(shop.at("/status/state").asText()).isEqualTo("ACTIVE");
            assertThat(shop.at("/status/availableReplicas").asInt()).isEqualTo(2);
            assertThat(shop.at("/status/endpoint").asText()).isEqualTo("http://shop-web.default");
        });
        assertThat(cluster.client()
                        .network()
                        .v1()
                        .ingresses()
                        .inNamespace("default")
                        .withName("shop")
                        .get())
                .isNotNull()
                .satisfies(
                        ingress -> assertThat(BlueprintCluster.owners(ingress)).containsExactly("WebApplication shop"));

        cluster.write("""
                apiVersion: shop.example.com/v1alpha1
                kind: WebApplication
                metadata: {name: shop, namespace: default}
                spec: {name: shop, replicas: 3, ingress: {enabled: false}}
                """);
        eventually(() -> {
            assertThat(cluster.client()
                            .network()
                            .v1()
                            .ingresses()
                            .inNamespace("default")
                            .withName("shop")
                            .get())
                    .isNull();
            assertThat(cluster.client()
                            .apps()
                            .deployments()
                            .inNamespace("default")
                            .withName("shop")
                            .get()
                            .getSpec()
                            .getReplicas())
                    .isEqualTo(3);
        });

        cluster.client().services().inNamespace("default").withName("shop-web").delete();
        eventually(() -> assertThat(cluster.client()
                        .services()
                        .inNamespace("default")
                        .withName("shop-web")
                        .get())
                .as("made anew")
                .isNotNull());

        cluster.object("shop.example.com/v1alpha1", "WebApplication", "shop").delete();
        eventually(() -> assertThat(cluster.client()
                        .apps()
                        .deployments()
                        .inNamespace("default")
                        .withName("shop")
                        .get())
                .isNull());
    }

    @Test
    void follows_what_it_reads_and_tells_what_fails_with_the_expression_and_the_value() {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Greeting
                metadata: {name: hall, namespace: default}
                spec: {divisor: 4}
                """);
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Greeting", "hall"))
                .isEqualTo("False Waiting shared: the ConfigMap 'shared' is not there"));
        assertThat(state("Greeting", "hall")).isEqualTo("IN_PROGRESS");

        shared("hello");
        eventually(() -> assertThat(copy().getData()).isEqualTo(Map.of("greeting", "hello", "share", "25")));
        shared("good morning");
        eventually(() -> {
            assertThat(copy().getData()).containsEntry("greeting", "good morning");
            assertThat(cluster.json("busbar.io/v1", "Greeting", "hall")
                            .at("/status/greeting")
                            .asText())
                    .isEqualTo("good morning");
        });

        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Greeting
                metadata: {name: hall, namespace: default}
                spec: {divisor: 0}
                """);
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Greeting", "hall"))
                .startsWith("False Failed ")
                .contains("string(100 / schema.spec.divisor)", "by zero"));
        assertThat(copy().getData()).as("stays as it was").containsEntry("share", "25");
    }

    @Test
    void makes_one_for_each_and_takes_away_those_of_items_that_are_gone() {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Spread
                metadata: {name: some, namespace: default, annotations: {odd: "\\U0001F600 <<: *a"}}
                spec: {names: [a, b, c]}
                """);
        eventually(() -> assertThat(spread()).containsExactly("some-a", "some-b", "some-c"));
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Spread
                metadata: {name: some, namespace: default}
                spec: {names: [c, d]}
                """);
        eventually(() -> assertThat(spread()).containsExactly("some-c", "some-d"));
    }

    @Test
    void an_account_makes_nothing_that_it_may_not_and_holds_up_nobody_else() throws Exception {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Keeper
                metadata: {name: kept, namespace: default}
                """);
        assertThat(cluster.client()
                        .secrets()
                        .inNamespace("default")
                        .withName("kept")
                        .get())
                .isNull();

        ClusterRole role = BlueprintCluster.role(Blueprints.checked(ALLOWED));
        cluster.allow(role, "keepers", "");
        eventually(() -> {
            assertThat(cluster.client()
                            .secrets()
                            .inNamespace("default")
                            .withName("kept")
                            .get())
                    .isNotNull();
            assertThat(cluster.ready("busbar.io/v1", "Keeper", "kept")).isEqualTo("True Ready all resources are ready");
        });

        cluster.allow(role, "keepers", "secrets");
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Keeper
                metadata: {name: refused, namespace: default}
                """);
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Keeper", "refused"))
                .startsWith("False Refused ")
                .contains("system:serviceaccount:default:keepers", "secrets"));
    }

    @Test
    void what_is_refused_holds_up_only_what_reads_it() {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Refused
                metadata: {name: some, namespace: default}
                spec: {name: Not_A_Name}
                """);
        eventually(() -> assertThat(map("some-late", "inside")).isNotNull());
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Refused", "some"))
                .startsWith("False Refused ConfigMap \"Not_A_Name\" is invalid"));
        assertThat(state("Refused", "some")).isEqualTo("ERROR");
        assertThat(map("default", "some-reader")).isNull();

        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Refused
                metadata: {name: some, namespace: default}
                spec: {name: a-name}
                """);
        eventually(() -> assertThat(map("default", "some-reader")).isNotNull());
        eventually(() -> assertThat(state("Refused", "some")).isEqualTo("ACTIVE"));
    }

    @Test
    void one_of_several_that_is_refused_does_not_keep_the_others() {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Spread
                metadata: {name: mixed, namespace: default}
                spec: {names: [Bad_Name, fine]}
                """);

        eventually(() -> assertThat(map("default", "mixed-fine")).isNotNull());
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Spread", "mixed"))
                .startsWith("False Refused ConfigMap \"mixed-Bad_Name\" is invalid"));
        cluster.object("busbar.io/v1", "Spread", "mixed").delete();
        eventually(() -> assertThat(map("default", "mixed-fine")).isNull());
    }

    private ConfigMap map(String namespace, String name) {
        return cluster.client()
                .configMaps()
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private String state(String kind, String name) {
        return cluster.json("busbar.io/v1", kind, name).at("/status/state").asText();
    }

    @Test
    void two_resources_that_make_one_object_are_told() {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Twins
                metadata: {name: castor, namespace: default}
                spec: {names: [castor, pollux]}
                """);
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Twins", "castor"))
                .startsWith("False Failed ")
                .contains("'second' and 'first' make the same object, v1 ConfigMap default/castor"));

        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Twins
                metadata: {name: castor, namespace: default}
                spec: {names: [pollux, castor]}
                """);
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Twins", "castor"))
                .isEqualTo("True Ready all resources are ready"));
    }

    @Test
    void an_object_that_is_somebody_elses_is_left_alone() {
        cluster.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("foreign-a")
                        .endMetadata()
                        .addToData("name", "mine")
                        .build())
                .create();
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Spread
                metadata: {name: foreign, namespace: default}
                spec: {names: [a]}
                """);

        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Spread", "foreign"))
                .startsWith("False NotOwned ")
                .contains("foreign-a"));
        assertThat(cluster.client()
                        .configMaps()
                        .inNamespace("default")
                        .withName("foreign-a")
                        .get()
                        .getData())
                .containsEntry("name", "mine");
    }

    private List<String> spread() {
        return cluster
                .client()
                .configMaps()
                .inNamespace("default")
                .withLabel(InstanceReconciler.RESOURCE.name(), "maps")
                .list()
                .getItems()
                .stream()
                .map(map -> map.getMetadata().getName())
                .sorted()
                .toList();
    }

    private ConfigMap copy() {
        var copy = cluster.client()
                .configMaps()
                .inNamespace("default")
                .withName("hall-copy")
                .get();
        assertThat(copy).isNotNull();
        return copy;
    }

    private void shared(String greeting) {
        cluster.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("shared")
                        .endMetadata()
                        .addToData("greeting", greeting)
                        .build())
                .serverSideApply();
    }

    @Test
    void instances_of_a_packed_operator_move_from_what_it_was_as_its_rollout_says() throws Exception {
        String first = Blueprints.with("", """
                - id: made
                  template:
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: "${schema.metadata.name}"}
                    data: {text: first}
                """).replace("kind: Test", "kind: Packed");
        String second = first.replace("text: first", "text: second");
        StandaloneOperator before = cluster.start(packed(first));
        createPacked("old");
        eventually(() -> assertThat(textOf("old")).isEqualTo("first"));
        before.stop();

        StandaloneOperator paused = cluster.start(packed(second + "  rollout: {paused: true}\n", first));
        createPacked("new");
        eventually(() -> assertThat(textOf("new")).isEqualTo("second"));
        cluster.object("v1", "ConfigMap", "old").delete();
        eventually(() -> assertThat(textOf("old")).as("made again").isEqualTo("first"));
        paused.stop();

        StandaloneOperator forgetful = cluster.start(packed(second + "  rollout: {paused: true}\n"));
        eventually(() -> assertThat(ready(cluster.json("busbar.io/v1", "Packed", "old")))
                .as("without what it was")
                .startsWith("False Held "));
        forgetful.stop();

        cluster.start(packed(second, first));
        eventually(() -> assertThat(textOf("old")).isEqualTo("second"));
    }

    @Test
    void what_the_newest_revision_reads_is_followed_while_an_earlier_one_goes_on() throws Exception {
        String first = Blueprints.with("", """
                - id: made
                  template:
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: "${schema.metadata.name}"}
                    data: {text: first}
                """).replace("kind: Test", "kind: Capped");
        String second = first.replace("text: first", "text: \"${string(10 / int(limits.data.n))}\"")
                .replace("  resources:\n", """
                      resources:
                        - id: limits
                          externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: limits}}
                    """);
        StandaloneOperator before = cluster.start(packed(first));
        cluster.write("apiVersion: busbar.io/v1\nkind: Capped\nmetadata: {name: capped, namespace: default}\n");
        eventually(() -> assertThat(textOf("capped")).isEqualTo("first"));
        before.stop();

        limits("0");
        cluster.start(packed(second, first));
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Capped", "capped"))
                .startsWith("False Failed")
                .contains("division by zero")
                .endsWith(" goes on"));
        limits("1");
        eventually(() -> assertThat(textOf("capped")).isEqualTo("10"));
    }

    private void limits(String n) {
        cluster.write("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: limits, namespace: default}
                data: {n: "%s"}
                """.formatted(n));
    }

    private static OperatorDefinition packed(String... revisions) {
        return BlueprintOperator.ofRevisions(
                "packed",
                "0.1.0",
                List.of(Stream.of(revisions)
                        .map(Blueprints::checked)
                        .map(Revision::named)
                        .toList()),
                Optional.empty());
    }

    private void createPacked(String instance) {
        cluster.write(
                "apiVersion: busbar.io/v1\nkind: Packed\nmetadata: {name: " + instance + ", namespace: default}\n");
    }

    private String textOf(String map) {
        return cluster.json("v1", "ConfigMap", map).at("/data/text").asText();
    }
}
