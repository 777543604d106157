package io.busbar.blueprint.run;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.definition.Permissions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** On a simulated cluster, whose Pods become ready by themselves. */
@TestInstance(Lifecycle.PER_CLASS)
class BlueprintOperatorTest {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private final Vertx vertx = Vertx.vertx();
    private Sandbox sandbox;
    private KubernetesClient client;
    private BlueprintOperator operator;

    @BeforeAll
    void run() throws Exception {
        sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults().withRbac(true))
                .await(30, SECONDS);
        Config config = Config.fromKubeconfig(sandbox.kubeconfig());
        client = new KubernetesClientBuilder().withConfig(config).build();
        operator = new BlueprintOperator(
                config,
                List.of(
                        Blueprints.checked(
                                Blueprints.file("web-application.yaml").replace("serviceAccountName", "#")),
                        Blueprints.checked(CONFIGURED),
                        Blueprints.checked(SPREAD),
                        Blueprints.checked(TWINS),
                        Blueprints.checked(ALLOWED),
                        Blueprints.checked(PLANNED),
                        Blueprints.checked(GROWN)),
                "default");
        operator.start();
    }

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

    /** Its account may do what the printed role has, but not patch Secrets at first. */
    private static final String PLANNED = Blueprints.with("""
                    spec:
                      divisor: integer | default=1
                    """, """
                    - id: words
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}"}
                        data: {text: a}
                    """)
                    .replace("kind: Test", "kind: Planned")
                    .replace("name: test", "name: planned")
                    .replace("spec:\n  schema", "spec:\n  serviceAccountName: planners\n  schema")
            + """
              plans:
                - name: keep
                  phases:
                    - name: all
                      steps:
                        - name: secret
                          apply:
                            apiVersion: v1
                            kind: Secret
                            metadata: {name: "${schema.metadata.name}-${words.data.text}"}
                            stringData: {share: "${string(100 / schema.spec.divisor)}"}
                - name: miss
                  phases:
                    - name: all
                      strategy: parallel
                      steps:
                        - name: patched
                          patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: nobody}, data: {a: b}}
                        - name: never
                          wait: ${words.data.text == 'b'}
                          timeoutSeconds: 1
            """;

    /** Its server has as many replicas as its plans have given it. */
    private static final String GROWN =
            Blueprints.with("""
                    spec:
                      members: integer | default=1
                      text: string | default=none
                    status:
                      members: ${server.spec.replicas}
                    """, """
                    - id: server
                      template:
                        apiVersion: apps/v1
                        kind: StatefulSet
                        metadata: {name: "${schema.metadata.name}"}
                        spec:
                          serviceName: ${schema.metadata.name}
                          selector: {matchLabels: {app: "${schema.metadata.name}"}}
                          template:
                            metadata: {labels: {app: "${schema.metadata.name}"}}
                            spec: {containers: [{name: server, image: "example/server:1"}]}
                    """).replace("kind: Test", "kind: Grown").replace("name: test", "name: grown") + """
              plans:
                - name: deploy
                  parameters: {first: "${self.spec.text}"}
                  phases:
                    - name: all
                      steps:
                        - name: tell
                          apply: &told
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: "${run.name}", ownerReferences: []}
                            data: {text: "${run.parameters[?'first'].orValue('')}", now: "${schema.spec.text}"}
                - name: grow
                  trigger: ${self.spec.members > self.status.members}
                  parameters:
                    to: ${string(self.status.members + 1)}
                  phases:
                    - name: all
                      steps:
                        - name: scale
                          patch:
                            apiVersion: apps/v1
                            kind: StatefulSet
                            metadata: {name: "${schema.metadata.name}"}
                            spec: {replicas: "${int(run.parameters.to)}"}
                        - name: ready
                          wait: ${server.status.?readyReplicas.orValue(0) == int(run.parameters.to)}
                - name: update
                  trigger: ${self.spec.text != oldSelf.spec.text}
                  parameters:
                    first: ${oldSelf.spec.text}
                  phases:
                    - name: all
                      steps:
                        - name: tell
                          apply: *told
                        - name: good
                          wait: ${schema.spec.text != 'bad'}
                          timeoutSeconds: 1
                - name: after
                  trigger: ${self.spec.text != oldSelf.spec.text}
                  phases:
                    - name: all
                      steps:
                        - name: tell
                          apply: *told
                - name: delete
                  phases:
                    - name: all
                      steps:
                        - name: tell
                          apply: *told
            """;

    @AfterAll
    void stop() throws Exception {
        operator.stop();
        client.close();
        sandbox.close();
        vertx.close().await(10, SECONDS);
    }

    @Test
    void makes_what_an_instance_asks_for_and_takes_away_what_it_asks_for_no_more() {
        write("""
                apiVersion: shop.example.com/v1alpha1
                kind: WebApplication
                metadata: {name: shop, namespace: default}
                spec: {name: shop, replicas: 2, ingress: {enabled: true}}
                """);
        eventually(() -> {
            JsonNode shop = read("shop.example.com/v1alpha1", "WebApplication", "shop");
            assertThat(ready(shop)).isEqualTo("True Ready all resources are ready");
            assertThat(shop.at("/status/availableReplicas").asInt()).isEqualTo(2);
            assertThat(shop.at("/status/endpoint").asText()).isEqualTo("http://shop-web.default");
        });
        assertThat(client.network()
                        .v1()
                        .ingresses()
                        .inNamespace("default")
                        .withName("shop")
                        .get())
                .isNotNull()
                .satisfies(ingress -> assertThat(owners(ingress)).containsExactly("WebApplication shop"));

        write("""
                apiVersion: shop.example.com/v1alpha1
                kind: WebApplication
                metadata: {name: shop, namespace: default}
                spec: {name: shop, replicas: 3, ingress: {enabled: false}}
                """);
        eventually(() -> {
            assertThat(client.network()
                            .v1()
                            .ingresses()
                            .inNamespace("default")
                            .withName("shop")
                            .get())
                    .isNull();
            assertThat(client.apps()
                            .deployments()
                            .inNamespace("default")
                            .withName("shop")
                            .get()
                            .getSpec()
                            .getReplicas())
                    .isEqualTo(3);
        });

        client.services().inNamespace("default").withName("shop-web").delete();
        eventually(() -> assertThat(client.services()
                        .inNamespace("default")
                        .withName("shop-web")
                        .get())
                .as("made anew")
                .isNotNull());

        generic("shop.example.com/v1alpha1", "WebApplication", "shop").delete();
        eventually(() -> assertThat(client.apps()
                        .deployments()
                        .inNamespace("default")
                        .withName("shop")
                        .get())
                .isNull());
    }

    @Test
    void follows_what_it_reads_and_tells_what_fails_with_the_expression_and_the_value() {
        write("""
                apiVersion: busbar.io/v1
                kind: Greeting
                metadata: {name: hall, namespace: default}
                spec: {divisor: 4}
                """);
        eventually(() -> assertThat(ready(read("busbar.io/v1", "Greeting", "hall")))
                .isEqualTo("False Waiting shared: the ConfigMap 'shared' is not there"));

        shared("hello");
        eventually(() -> assertThat(copy().getData()).isEqualTo(Map.of("greeting", "hello", "share", "25")));
        shared("good morning");
        eventually(() -> {
            assertThat(copy().getData()).containsEntry("greeting", "good morning");
            assertThat(read("busbar.io/v1", "Greeting", "hall")
                            .at("/status/greeting")
                            .asText())
                    .isEqualTo("good morning");
        });

        write("""
                apiVersion: busbar.io/v1
                kind: Greeting
                metadata: {name: hall, namespace: default}
                spec: {divisor: 0}
                """);
        eventually(() -> assertThat(ready(read("busbar.io/v1", "Greeting", "hall")))
                .startsWith("False Failed ")
                .contains("string(100 / schema.spec.divisor)", "by zero"));
        assertThat(copy().getData()).as("stays as it was").containsEntry("share", "25");
    }

    @Test
    void makes_one_for_each_and_takes_away_those_of_items_that_are_gone() {
        write("""
                apiVersion: busbar.io/v1
                kind: Spread
                metadata: {name: some, namespace: default, annotations: {odd: "\\U0001F600 <<: *a"}}
                spec: {names: [a, b, c]}
                """);
        eventually(() -> assertThat(spread()).containsExactly("some-a", "some-b", "some-c"));
        write("""
                apiVersion: busbar.io/v1
                kind: Spread
                metadata: {name: some, namespace: default}
                spec: {names: [c, d]}
                """);
        eventually(() -> assertThat(spread()).containsExactly("some-c", "some-d"));
    }

    @Test
    void an_account_makes_nothing_that_it_may_not_and_holds_up_nobody_else() throws Exception {
        write("""
                apiVersion: busbar.io/v1
                kind: Keeper
                metadata: {name: kept, namespace: default}
                """);
        assertThat(client.secrets().inNamespace("default").withName("kept").get())
                .isNull();

        ClusterRole role = SERIALIZATION.convertValue(
                Permissions.of(Blueprints.checked(ALLOWED)).role(), ClusterRole.class);
        allow(role, "keepers", "");
        eventually(() -> {
            assertThat(client.secrets().inNamespace("default").withName("kept").get())
                    .isNotNull();
            assertThat(ready(read("busbar.io/v1", "Keeper", "kept"))).isEqualTo("True Ready all resources are ready");
        });

        allow(role, "keepers", "secrets");
        write("""
                apiVersion: busbar.io/v1
                kind: Keeper
                metadata: {name: refused, namespace: default}
                """);
        eventually(() -> assertThat(ready(read("busbar.io/v1", "Keeper", "refused")))
                .startsWith("False Refused ")
                .contains("system:serviceaccount:default:keepers", "secrets"));
    }

    @Test
    void two_resources_that_make_one_object_are_told() {
        write("""
                apiVersion: busbar.io/v1
                kind: Twins
                metadata: {name: castor, namespace: default}
                spec: {names: [castor, pollux]}
                """);
        eventually(() -> assertThat(ready(read("busbar.io/v1", "Twins", "castor")))
                .startsWith("False Failed ")
                .contains("'second' and 'first' make the same object, v1 ConfigMap default/castor"));

        write("""
                apiVersion: busbar.io/v1
                kind: Twins
                metadata: {name: castor, namespace: default}
                spec: {names: [pollux, castor]}
                """);
        eventually(() -> assertThat(ready(read("busbar.io/v1", "Twins", "castor")))
                .isEqualTo("True Ready all resources are ready"));
    }

    @Test
    void an_object_that_is_somebody_elses_is_left_alone() {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("foreign-a")
                        .endMetadata()
                        .addToData("name", "mine")
                        .build())
                .create();
        write("""
                apiVersion: busbar.io/v1
                kind: Spread
                metadata: {name: foreign, namespace: default}
                spec: {names: [a]}
                """);

        eventually(() -> assertThat(ready(read("busbar.io/v1", "Spread", "foreign")))
                .startsWith("False NotOwned ")
                .contains("foreign-a"));
        assertThat(client.configMaps()
                        .inNamespace("default")
                        .withName("foreign-a")
                        .get()
                        .getData())
                .containsEntry("name", "mine");
    }

    private void run(String name, String instance, String plan) {
        write("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: %s, namespace: default}
                spec: {plan: %s, instance: {apiVersion: busbar.io/v1, kind: Planned, name: %s}}
                """.formatted(name, plan, instance));
    }

    private String told(String run) {
        return ready(read("blueprints.busbar.io/v1alpha1", "BlueprintRun", run));
    }

    @Test
    void a_step_waits_for_a_right_and_one_that_cannot_be_done_fails_with_the_reason() {
        ClusterRole role = SERIALIZATION.convertValue(
                Permissions.of(Blueprints.checked(PLANNED)).role(), ClusterRole.class);
        allow(role, "planners", "secrets");
        write("""
                apiVersion: busbar.io/v1
                kind: Planned
                metadata: {name: one, namespace: default}
                spec: {divisor: 4}
                """);
        run("first", "one", "keep");
        eventually(
                () -> assertThat(told("first")).startsWith("False Running").contains("secrets \"one-a\" is forbidden"));
        allow(role, "planners", "");
        eventually(() -> assertThat(told("first")).isEqualTo("True Succeeded all steps have succeeded"));
        assertThat(client.secrets().inNamespace("default").withName("one-a").get())
                .satisfies(secret -> assertThat(owners(secret)).containsExactly("Planned one"));

        run("second", "one", "miss");
        eventually(() ->
                assertThat(told("second")).isEqualTo("False Failed patched: the ConfigMap 'nobody' is not there"));
        assertThat(read("blueprints.busbar.io/v1alpha1", "BlueprintRun", "second")
                        .at("/status/steps/1/message")
                        .asText())
                .isEqualTo("it has taken longer than 1 s: 'words.data.text == 'b'' does not hold yet");

        write("""
                apiVersion: busbar.io/v1
                kind: Planned
                metadata: {name: none, namespace: default}
                spec: {divisor: 0}
                """);
        run("third", "none", "keep");
        eventually(() -> assertThat(told("third"))
                .startsWith("False Failed secret: spec.plans[0].phases[0].steps[0].apply.stringData.share")
                .contains("division by zero"));
        run("fourth", "one", "restore");
        eventually(() ->
                assertThat(told("fourth")).isEqualTo("False Failed there is no plan 'restore'; allowed: keep, miss"));
        run("fifth", "nobody", "keep");
        eventually(() -> assertThat(told("fifth")).isEqualTo("False Running the Planned 'nobody' is not there"));
    }

    private void grown(String name, String spec) {
        write("""
                apiVersion: busbar.io/v1
                kind: Grown
                metadata: {name: %s, namespace: default}
                spec: {%s}
                """.formatted(name, spec));
    }

    private String grown(String name) {
        return ready(read("busbar.io/v1", "Grown", name));
    }

    /** The names of the runs about an instance, in the order in which they were made. */
    private List<String> runs(String instance) {
        return client
                .genericKubernetesResources("blueprints.busbar.io/v1alpha1", "BlueprintRun")
                .inNamespace("default")
                .list()
                .getItems()
                .stream()
                .map(run -> run.getMetadata().getName())
                .filter(name -> name.startsWith(instance + "-"))
                .sorted(Comparator.comparing((String name) -> name.substring(name.lastIndexOf('-'))))
                .toList();
    }

    @Test
    void plans_begin_by_themselves_one_after_the_other_and_one_carries_out_the_deletion() {
        grown("tree", "members: 3");
        eventually(() -> assertThat(grown("tree")).isEqualTo("True Ready all resources are ready"));
        eventually(() -> assertThat(runs("tree")).containsExactly("tree-deploy-1", "tree-grow-2", "tree-grow-3"));
        eventually(() -> assertThat(grown("tree")).isEqualTo("True Ready all resources are ready"));
        assertThat(read("busbar.io/v1", "Grown", "tree").at("/status/members").asInt())
                .isEqualTo(3);
        assertThat(configMap("tree-deploy-1")).containsEntry("text", "none");

        grown("tree", "members: 4, text: other");
        eventually(() -> {
            assertThat(runs("tree")).endsWith("tree-grow-4", "tree-update-5", "tree-after-6");
            assertThat(configMap("tree-update-5")).containsEntry("text", "none").containsEntry("now", "other");
            assertThat(grown("tree")).isEqualTo("True Ready all resources are ready");
        });

        String uid = read("busbar.io/v1", "Grown", "tree").at("/metadata/uid").asText();
        String last = "tree-delete-" + uid.substring(0, 8);
        generic("busbar.io/v1", "Grown", "tree").delete();
        eventually(
                () -> assertThat(generic("busbar.io/v1", "Grown", "tree").get()).isNull());
        assertThat(configMap(last)).containsEntry("now", "other");
        eventually(() -> assertThat(runs("tree")).isEmpty());
    }

    @Test
    void after_a_plan_that_has_failed_none_begins_until_the_spec_changes() {
        grown("sick", "text: fine");
        eventually(() -> assertThat(grown("sick")).isEqualTo("True Ready all resources are ready"));
        grown("sick", "text: bad");
        eventually(() -> assertThat(grown("sick"))
                .isEqualTo("False PlanFailed the run 'sick-update-2' of the plan 'update' has not succeeded;"
                        + " its status says why"));
        client.apps().statefulSets().inNamespace("default").withName("sick").edit(set -> {
            set.getMetadata().setAnnotations(Map.of("touched", "yes"));
            return set;
        });
        grown("sick", "text: bad, members: 2");
        eventually(() -> assertThat(runs("sick")).containsExactly("sick-deploy-1", "sick-update-2", "sick-update-3"));
        assertThat(configMap("sick-update-3")).as("is the same again").containsEntry("text", "fine");
        eventually(() -> assertThat(told("sick-update-3")).startsWith("False Failed"));
        grown("sick", "text: good, members: 2");
        eventually(() ->
                assertThat(runs("sick")).endsWith("sick-update-3", "sick-grow-4", "sick-update-5", "sick-after-6"));
        eventually(() -> assertThat(grown("sick")).isEqualTo("True Ready all resources are ready"));
        assertThat(configMap("sick-update-5")).containsEntry("text", "bad");
    }

    private Map<String, String> configMap(String name) {
        var map = client.configMaps().inNamespace("default").withName(name).get();
        assertThat(map).as(name).isNotNull();
        return map.getData();
    }

    /** Gives an account a role, but for what is about some resource. */
    private void allow(ClusterRole role, String account, String but) {
        ClusterRole less = client.getKubernetesSerialization().clone(role);
        less.getRules().removeIf(rule -> rule.getResources().contains(but));
        client.resource(less).serverSideApply();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(account)
                        .endMetadata()
                        .withNewRoleRef(
                                "rbac.authorization.k8s.io",
                                "ClusterRole",
                                role.getMetadata().getName())
                        .addNewSubject("", "ServiceAccount", account, "default")
                        .build())
                .serverSideApply();
    }

    private List<String> spread() {
        return client
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

    private io.fabric8.kubernetes.api.model.ConfigMap copy() {
        var copy =
                client.configMaps().inNamespace("default").withName("hall-copy").get();
        assertThat(copy).isNotNull();
        return copy;
    }

    private void shared(String greeting) {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("shared")
                        .endMetadata()
                        .addToData("greeting", greeting)
                        .build())
                .serverSideApply();
    }

    private static List<String> owners(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .map(owner -> owner.getKind() + " " + owner.getName())
                .toList();
    }

    private void write(String yaml) {
        client.resource(SERIALIZATION.unmarshal(yaml, GenericKubernetesResource.class))
                .serverSideApply();
    }

    private io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> generic(
            String apiVersion, String kind, String name) {
        return client.genericKubernetesResources(apiVersion, kind)
                .inNamespace("default")
                .withName(name);
    }

    private JsonNode read(String apiVersion, String kind, String name) {
        return SERIALIZATION.convertValue(generic(apiVersion, kind, name).get(), JsonNode.class);
    }

    private static String ready(JsonNode instance) {
        JsonNode condition = instance.at("/status/conditions/0");
        return condition.path("status").asText() + " "
                + condition.path("reason").asText() + " "
                + condition.path("message").asText();
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(40)).untilAsserted(assertion);
    }
}
