package io.busbar.blueprint.operator;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.busbar.sandbox.faults.Fault;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Blueprints of a simulated cluster, without webhooks: what is not fit gets there, and becomes unfit there. */
@TestInstance(Lifecycle.PER_CLASS)
class BlueprintsBundleTest {

    private static final String API_VERSION = "blueprints.busbar.io/v1alpha1";

    private final Vertx vertx = Vertx.vertx();
    private Sandbox sandbox;
    private Config config;
    private KubernetesClient client;
    private StandaloneOperator operator;

    @BeforeAll
    void run() throws Exception {
        sandbox = VertxSandbox.start(vertx, SandboxOptions.defaults()).await(60, SECONDS);
        config = Config.fromKubeconfig(sandbox.kubeconfig());
        client = new KubernetesClientBuilder().withConfig(config).build();
        start();
    }

    /** Without its webhook, as one that was away, or one whose cluster has changed. */
    private record Unguarded(BlueprintsBundle bundle) implements Bundle {
        @Override
        public String name() {
            return bundle.name();
        }

        @Override
        public List<Controller<?>> controllers(BundleContext context) {
            return bundle.controllers(context);
        }

        @Override
        public Extras extras(BundleContext context) {
            return bundle.extras(context);
        }
    }

    private void start() throws Exception {
        BlueprintsBundle bundle = new BlueprintsBundle(new Looks(Duration.ofMillis(200), Duration.ofMillis(500)));
        new CommandLine(CommandSpec.forAnnotatedObject(bundle.flags().orElseThrow()))
                .parseArgs("--default-service-account=anyone");
        OperatorDefinition definition = OperatorDefinition.of(new Unguarded(bundle));
        Installation.install(client, definition);
        operator = new StandaloneOperator(definition, config, OperatorOptions.besideCluster("blueprints"));
        operator.start();
    }

    @AfterAll
    void stop() throws Exception {
        operator.stop();
        client.close();
        sandbox.close();
        vertx.close().await(60, SECONDS);
    }

    /** One that makes an object of any kind, with one field. */
    private static String blueprint(String kind, String object) {
        return """
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: Blueprint
                metadata: {name: %2$s}
                spec:
                  schema:
                    apiVersion: v1
                    kind: %1$s
                    group: test.example.com
                    spec: {text: "string | default=none"}
                  resources:
                    - id: made
                      template: %3$s
                """.formatted(kind, kind.toLowerCase(Locale.ROOT), object);
    }

    private static final String CONFIG_MAP =
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: \"${schema.metadata.name}\"},"
                    + " data: {text: \"${schema.spec.text}\"}}";

    @Test
    void an_instance_goes_when_the_plan_that_it_waits_for_is_taken_out_of_its_blueprint() throws Exception {
        write(blueprint("Clinger", CONFIG_MAP) + """
                  plans:
                    - name: delete
                      phases: [{name: all, steps: [{name: never, wait: "${schema.spec.text == 'other'}"}]}]
                """);
        eventually(() -> assertThat(ready("clinger")).startsWith("True Running"));
        instance("Clinger", "clings", "here");
        eventually(() -> assertThat(map("clings")).isEqualTo("here"));
        var one = client.genericKubernetesResources("test.example.com/v1", "Clinger")
                .inNamespace("default")
                .withName("clings");
        one.delete();
        eventually(() -> assertThat(String.valueOf(one.require().<Object>get("status", "conditions")))
                .contains("of the plan 'delete' is under way"));

        write(blueprint("Clinger", CONFIG_MAP));
        eventually(() -> assertThat(one.get()).isNull());
    }

    @Test
    void plans_that_are_put_back_into_a_blueprint_begin_runs_of_their_own() {
        String planned = blueprint("Mindful", CONFIG_MAP) + """
                  plans:
                    - name: mark
                      trigger: ${self.spec.text != 'none'}
                      parameters: {text: "${self.spec.text}"}
                      phases:
                        - name: all
                          steps:
                            - name: mark
                              apply:
                                apiVersion: v1
                                kind: ConfigMap
                                metadata: {name: mindful-marked}
                                data: {text: "${run.parameters.text} by ${run.name}"}
                """;
        write(planned);
        eventually(() -> assertThat(ready("mindful")).startsWith("True Running"));
        instance("Mindful", "mindful", "one");
        eventually(() -> assertThat(map("mindful-marked")).isEqualTo("one by mindful-mark-1"));
        eventually(() -> assertThat(told("Mindful", "mindful")).startsWith("True Ready"));

        write(blueprint("Mindful", CONFIG_MAP));
        eventually(() -> assertThat(instance("Mindful", "mindful").<Object>get("status", "plans"))
                .isNull());
        instance("Mindful", "mindful", "two");
        eventually(() -> assertThat(map("mindful")).isEqualTo("two"));
        write(planned);
        eventually(() -> assertThat(map("mindful-marked")).isEqualTo("two by mindful-mark-2"));
    }

    @Test
    void runs_end_with_their_jobs_when_their_blueprint_loses_all_its_plans() {
        write(blueprint("Bereft", CONFIG_MAP) + """
                  plans:
                    - name: work
                      phases:
                        - name: all
                          steps:
                            - name: copy
                              job: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}
                """);
        eventually(() -> assertThat(ready("bereft")).startsWith("True Running"));
        instance("Bereft", "bereft", "one");
        write("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: bereft, namespace: default}
                spec: {plan: work, instance: {apiVersion: test.example.com/v1, kind: Bereft, name: bereft}}
                """);
        var run = client.genericKubernetesResources(API_VERSION, "BlueprintRun")
                .inNamespace("default")
                .withName("bereft");
        var job = client.batch().v1().jobs().inNamespace("default").withName("bereft-copy");
        eventually(() -> assertThat(job.get()).isNotNull());

        write(blueprint("Bereft", CONFIG_MAP));
        eventually(() -> assertThat(condition(run.require()))
                .isEqualTo("False Failed there is no plan 'work'; allowed: none, as its Blueprint has no plans"));
        eventually(() -> assertThat(job.get()).isNull());
        assertThat(String.valueOf(run.require().<Object>get("status", "steps"))).contains("state=Cancelled");
        eventually(() -> assertThat(ready("bereft")).startsWith("True Running"));
    }

    @Test
    void a_blueprint_says_which_right_its_account_lacks_to_end_the_runs_of_plans_that_it_has_no_more() {
        write(blueprint("Left", CONFIG_MAP) + """
                  plans:
                    - name: work
                      phases: [{name: all, steps: [{name: never, wait: "${schema.spec.text == 'other'}"}]}]
                """);
        eventually(() -> assertThat(ready("left")).startsWith("True Running"));
        instance("Left", "left", "one");
        write("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: left, namespace: default}
                spec: {plan: work, instance: {apiVersion: test.example.com/v1, kind: Left, name: left}}
                """);
        var run = client.genericKubernetesResources(API_VERSION, "BlueprintRun")
                .inNamespace("default")
                .withName("left");
        eventually(() -> assertThat(condition(run.require())).startsWith("False Running never: "));

        var refusal = sandbox.faults()
                .inject(Fault.on("patch", "blueprintruns.blueprints.busbar.io/status")
                        .named("left")
                        .refused(403)
                        .untilRemoved());
        write(blueprint("Left", CONFIG_MAP));
        eventually(() -> assertThat(ready("left"))
                .startsWith("True Running instances are reconciled as ")
                .contains("; there are runs of plans that it has no more: "));
        refusal.remove();
        write(blueprint("Left", CONFIG_MAP.replace("${schema.spec.text}", "new")));
        eventually(() -> assertThat(ready("left"))
                .startsWith("True Running instances are reconciled as ")
                .doesNotContain("it has no more"));
        assertThat(condition(run.require())).startsWith("False Failed there is no plan 'work'");
    }

    @Test
    void a_revision_that_fails_on_an_instance_leaves_it_as_it_was() {
        write(blueprint("Split", CONFIG_MAP));
        eventually(() -> assertThat(ready("split")).startsWith("True Running"));
        instance("Split", "five", "'5'");
        instance("Split", "zero", "'0'");
        eventually(() -> assertThat(List.of(map("five"), map("zero"))).containsExactly("5", "0"));
        eventually(() -> assertThat(told("Split", "zero")).startsWith("True Ready"));
        String first = revision("Split", "zero");
        assertThat(first).startsWith("split-");

        write(blueprint("Split", CONFIG_MAP.replace("schema.spec.text", "string(10 / int(schema.spec.text))")));
        eventually(() -> {
            assertThat(map("five")).isEqualTo("2");
            assertThat(revision("Split", "five")).isNotEqualTo(first);
            assertThat(told("Split", "zero"))
                    .startsWith("False Failed")
                    .contains("division by zero")
                    .endsWith("; revision " + first + " goes on");
            assertThat(revision("Split", "zero")).isEqualTo(first);
        });
        client.configMaps().inNamespace("default").withName("zero").delete();
        eventually(() -> assertThat(map("zero")).isEqualTo("0"));

        instance("Split", "zero", "'10'");
        eventually(() -> {
            assertThat(map("zero")).isEqualTo("1");
            assertThat(revision("Split", "zero")).isEqualTo(revision("Split", "five"));
            assertThat(told("Split", "zero")).startsWith("True Ready");
        });
    }

    @Test
    void instances_move_to_a_new_revision_as_many_at_once_as_its_rollout_says() {
        List<String> names = List.of("roll-a", "roll-b", "roll-c", "roll-d");
        write(blueprint("Roll", CONFIG_MAP));
        eventually(() -> assertThat(ready("roll")).startsWith("True Running"));
        names.forEach(name -> instance("Roll", name, "old"));
        eventually(
                () -> assertThat(names).allSatisfy(name -> assertThat(map(name)).isEqualTo("old")));

        String next = blueprint("Roll", CONFIG_MAP.replace("${schema.spec.text}", "new")) + """
                      readyWhen: ["${made.metadata.?annotations[?'seen'].orValue('') == 'yes'}"]
                """;
        write(next + "  rollout: {maxUnavailable: 1, partition: 25%}\n");
        for (int moved = 1; moved <= 3; moved++) {
            int many = moved;
            eventually(() -> assertThat(with("new", names)).hasSize(many));
            // What one is made of is written before what is told of it.
            eventually(
                    () -> assertThat(with("new", names)).filteredOn(this::waits).hasSize(1));
            String last =
                    with("new", names).stream().filter(this::waits).findFirst().orElseThrow();
            assertThat(with("new", names)).as("while one is not ready").hasSize(many);
            client.configMaps().inNamespace("default").withName(last).edit(map -> {
                map.getMetadata().setAnnotations(Map.of("seen", "yes"));
                return map;
            });
            eventually(() -> assertThat(told("Roll", last)).startsWith("True Ready"));
        }
        String left = with("old", names).get(0);
        assertThat(told("Roll", left)).startsWith("True Ready");
        instance("Roll", left, "changed");
        eventually(
                () -> assertThat(map(left)).as("still by the revision before").isEqualTo("changed"));
        instance("Roll", "roll-e", "whatever");
        eventually(() -> assertThat(map("roll-e")).as("is new").isEqualTo("new"));

        write(blueprint("Roll", CONFIG_MAP) + "  rollout: {paused: true}\n");
        eventually(() -> assertThat(ready("roll")).startsWith("True Running"));
        client.configMaps().inNamespace("default").withName(left).delete();
        eventually(
                () -> assertThat(map(left)).as("has what is the newest again").isEqualTo("changed"));
        eventually(() -> assertThat(told("Roll", left)).startsWith("True Ready"));
        assertThat(map("roll-e")).as("is held back now").isEqualTo("new");

        write(next + "  rollout: {paused: true}\n");
        eventually(
                () -> assertThat(stored("roll").getMetadata().getGeneration()).isEqualTo(4));
        assertThat(map(left)).isEqualTo("changed");
        write(next);
        eventually(() -> assertThat(map(left)).isEqualTo("new"));
        assertThat(sandboxRevisions("roll")).as("a rollout is no revision").isEqualTo(2);
    }

    @Test
    void what_a_rollout_holds_back_stays_so_while_the_newest_spec_is_unfit() {
        write(blueprint("Calm", CONFIG_MAP));
        eventually(() -> assertThat(ready("calm")).startsWith("True Running"));
        instance("Calm", "calm-x", "old");
        eventually(() -> assertThat(told("Calm", "calm-x")).startsWith("True Ready"));

        String paused =
                blueprint("Calm", CONFIG_MAP.replace("${schema.spec.text}", "new")) + "  rollout: {paused: true}\n";
        write(paused);
        eventually(() -> assertThat(sandboxRevisions("calm")).isEqualTo(2));
        write(paused.replace("default=none", "default=n maxLength=1"));
        eventually(() ->
                assertThat(ready("calm")).startsWith("False BreaksInstances").endsWith("revision 2 goes on"));
        instance("Calm", "calm-x", "older");
        eventually(() -> assertThat(map("calm-x")).as("by revision 1").isEqualTo("older"));
    }

    private List<String> with(String text, List<String> names) {
        return names.stream().filter(name -> map(name).equals(text)).toList();
    }

    private GenericKubernetesResource instance(String kind, String name) {
        return client.genericKubernetesResources("test.example.com/v1", kind)
                .inNamespace("default")
                .withName(name)
                .require();
    }

    private String revision(String kind, String name) {
        return instance(kind, name).get("status", "blueprintRevision");
    }

    private String told(String kind, String name) {
        return condition(instance(kind, name));
    }

    @Test
    void what_has_become_unfit_goes_on_as_it_was_also_after_a_restart() throws Exception {
        write(blueprint(
                "Gate",
                "{apiVersion: later.example.com/v1, kind: Widget, metadata: {name: \"${schema.metadata.name}\"},"
                        + " spec: {text: \"${schema.spec.text}\"}}"));
        eventually(() -> assertThat(ready("gate"))
                .startsWith("False Starting")
                .contains("widgets.later.example.com is not listed yet: ")
                .contains("404"));
        write(definition("Widget", "later.example.com", "spec: {type: object, properties: {text: {type: string}}}"));
        eventually(() -> assertThat(ready("gate")).startsWith("True Running"));
        instance("Gate", "first", "hello");
        eventually(() -> assertThat(widget("first")).isEqualTo("hello"));

        write(definition("Widget", "later.example.com", "spec: {type: object, properties: {size: {type: integer}}}")
                .replace("size: {type: integer}", "text: {type: integer}"));
        eventually(() -> assertThat(ready("gate"))
                .startsWith("False Invalid")
                .contains("spec.resources[0].template.spec.text")
                .contains("needs an integer"));
        write(definition("Widget", "later.example.com", "spec: {type: object, properties: {text: {type: string}}}"));
        eventually(() -> assertThat(ready("gate")).startsWith("True Running"));

        write(blueprint("Gate", CONFIG_MAP.replace("schema.spec.text", "schema.spec.size")));
        eventually(() -> assertThat(ready("gate"))
                .startsWith("False Invalid")
                .contains("undefined field 'size'")
                .endsWith("revision 1 goes on"));
        operator.stop();
        start();
        instance("Gate", "second", "still");
        eventually(() -> assertThat(widget("second")).isEqualTo("still"));
        eventually(() -> assertThat(ready("gate")).endsWith("revision 1 goes on"));
        assertThat(sandboxRevisions("gate")).isEqualTo(1);
    }

    @Test
    void an_instance_says_that_its_blueprint_waits_and_is_new_to_it_once_it_runs() {
        write(blueprint(
                        "Idle",
                        "{apiVersion: idle.example.com/v1, kind: Gadget, metadata: {name: \"${schema.metadata.name}\"}}")
                + """
                  plans:
                    - name: deploy
                      phases: [{name: all, steps: [{name: go, wait: "${schema.spec.text == 'go'}"}]}]
                """);
        eventually(() -> assertThat(ready("idle")).startsWith("False Starting").contains("404"));
        instance("Idle", "idle", "go");
        eventually(() -> assertThat(told("Idle", "idle"))
                .startsWith("False Unserved the Blueprint 'idle' does not run: ")
                .contains("gadgets.idle.example.com is not listed yet: "));

        write(definition("Gadget", "idle.example.com", "spec: {type: object}"));
        eventually(() -> assertThat(told("Idle", "idle")).startsWith("True Ready"));
        assertThat(client.genericKubernetesResources(API_VERSION, "BlueprintRun")
                        .inNamespace("default")
                        .withName("idle-deploy-1")
                        .get())
                .as("the plan for a new instance")
                .isNotNull();
    }

    @Test
    void an_instance_of_a_kind_that_its_blueprint_had_before_is_told_nothing() {
        String gadget = "{apiVersion: moved.example.com/v1, kind: Gadget, metadata: {name: gadget}}";
        write(blueprint("Mover", CONFIG_MAP));
        eventually(() -> assertThat(ready("mover")).startsWith("True Running"));
        write(blueprint("Moved", gadget).replace("{name: moved}", "{name: mover}"));
        eventually(() -> assertThat(ready("mover")).startsWith("False Starting").contains("404"));
        instance("Mover", "of-before", "one");
        for (String name : List.of("of-now", "of-later")) {
            instance("Moved", name, "one");
            eventually(() -> assertThat(told("Moved", name)).startsWith("False Unserved"));
        }

        assertThat(instance("Mover", "of-before").<Object>get("status")).isNull();
    }

    @Test
    void an_instance_says_that_nothing_of_its_blueprint_is_fit() {
        write(blueprint("Stray", CONFIG_MAP));
        eventually(() -> assertThat(ready("stray")).startsWith("True Running"));
        instance("Stray", "stray-known", "one");
        eventually(() -> assertThat(told("Stray", "stray-known")).startsWith("True Ready"));
        client.resource(stored("stray")).delete();
        eventually(() -> assertThat(client.genericKubernetesResources(API_VERSION, "Blueprint")
                        .withName("stray")
                        .get())
                .isNull());
        instance("Stray", "stray-new", "one");

        write(blueprint("Stray", CONFIG_MAP.replace("schema.spec.text", "schema.spec.size")));
        eventually(() -> assertThat(told("Stray", "stray-new"))
                .startsWith("False Unserved the Blueprint 'stray' does not run: ")
                .contains("undefined field 'size'"));
        instance("Stray", "stray-newer", "one");
        eventually(() -> assertThat(told("Stray", "stray-newer")).startsWith("False Unserved"));
        assertThat(told("Stray", "stray-known"))
                .as("of one that has not changed since somebody looked at it")
                .startsWith("True Ready");

        write(blueprint("Stray", CONFIG_MAP));
        eventually(() -> assertThat(told("Stray", "stray-new")).startsWith("True Ready"));
    }

    @Test
    void what_runs_goes_on_also_after_a_restart_when_the_api_server_refuses_the_definition() throws Exception {
        String fixed = blueprint(
                "Fixed",
                CONFIG_MAP.replace(
                        "metadata: {name: \"${schema.metadata.name}\"}",
                        "metadata: {name: \"${schema.metadata.name}\", namespace: default}"));
        write(fixed);
        eventually(() -> assertThat(ready("fixed")).startsWith("True Running"));
        instance("Fixed", "fixed-a", "one");
        eventually(() -> assertThat(map("fixed-a")).isEqualTo("one"));

        write(fixed.replace("    kind: Fixed\n", "    kind: Fixed\n    scope: Cluster\n"));
        eventually(() -> assertThat(ready("fixed")).startsWith("False Refused"));
        operator.stop();
        start();
        instance("Fixed", "fixed-b", "two");
        eventually(() -> assertThat(map("fixed-b")).isEqualTo("two"));
        eventually(() -> assertThat(ready("fixed"))
                .startsWith("False Refused")
                .contains("spec.scope")
                .endsWith("revision 1 goes on"));
    }

    private int sandboxRevisions(String blueprint) {
        return client.apps()
                .controllerRevisions()
                .inAnyNamespace()
                .withLabel("blueprints.busbar.io/blueprint", blueprint)
                .list()
                .getItems()
                .size();
    }

    private String widget(String name) {
        return Optional.ofNullable(client.genericKubernetesResources("later.example.com/v1", "Widget")
                        .inNamespace("default")
                        .withName(name)
                        .get())
                .map(widget -> String.valueOf(widget.<Object>get("spec", "text")))
                .orElse("");
    }

    @Test
    void a_definition_is_kept_as_it_was_made_and_written_only_where_it_differs() {
        write(blueprint("Kept", CONFIG_MAP));
        eventually(() -> assertThat(ready("kept")).startsWith("True Running"));
        String before = version("kepts.test.example.com");
        long stored = Long.parseLong(stored("kept").getMetadata().getResourceVersion());
        client.resource(stored("kept"))
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"labels\":{\"touched\":\"1\"}}}");
        instance("Kept", "one", "text");
        eventually(() -> assertThat(map("one")).isEqualTo("text"));
        assertThat(version("kepts.test.example.com")).isEqualTo(before);
        assertThat(stored("kept").getMetadata().getGeneration()).isEqualTo(1);
        assertThat(Long.parseLong(stored("kept").getMetadata().getResourceVersion()))
                .isGreaterThan(stored);

        client.resource(defined("kepts.test.example.com")).patch(PatchContext.of(PatchType.JSON), """
                [{"op": "replace", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec",
                  "value": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 1}}}}]""");
        eventually(() -> assertThat(defined("kepts.test.example.com")
                        .getSpec()
                        .getVersions()
                        .get(0)
                        .getSchema()
                        .getOpenAPIV3Schema()
                        .getProperties()
                        .get("spec")
                        .getProperties()
                        .get("text")
                        .getDefault())
                .hasToString("\"none\""));
    }

    @Test
    void a_kind_that_is_anothers_is_left_alone_until_it_is_given_away() {
        write(definition("Foreign", "test.example.com", "spec: {type: object}"));
        write(blueprint("Foreign", CONFIG_MAP));
        eventually(
                () -> assertThat(ready("foreign"))
                        .startsWith("False Invalid")
                        .contains(
                                "belongs to somebody else: its definition lacks the label blueprints.busbar.io/blueprint=foreign"));
        write(blueprint("Foreign", CONFIG_MAP).replace("name: foreign", "name: twin"));
        eventually(() -> assertThat(ready("twin")).contains("belongs to somebody else"));
        client.resource(defined("foreigns.test.example.com"))
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"blueprints.busbar.io/blueprint\":\"foreign\"}}}");
        eventually(() -> assertThat(ready("foreign")).startsWith("True Running"));
        eventually(() ->
                assertThat(ready("twin")).startsWith("False Invalid").contains("belongs to the Blueprint foreign"));
        instance("Foreign", "mine", "now");
        eventually(() -> assertThat(map("mine")).isEqualTo("now"));
    }

    @Test
    void a_kind_keeps_its_plural() {
        write(blueprint("Podinfo", CONFIG_MAP).replace("    group:", "    plural: podinfo\n    group:"));
        eventually(() -> assertThat(ready("podinfo")).startsWith("True Running"));

        write(blueprint("Podinfo", CONFIG_MAP).replace("    group:", "    plural: podinfos\n    group:"));
        eventually(() -> assertThat(ready("podinfo"))
                .startsWith("False Invalid spec.schema.plural: ")
                .contains("the kind Podinfo of the group test.example.com has the plural podinfo already")
                .endsWith("revision 1 goes on"));

        write(blueprint("Podinfo", CONFIG_MAP));
        eventually(() -> assertThat(ready("podinfo"))
                .as("where nobody writes a plural")
                .startsWith("False Invalid spec.schema.kind: "));
    }

    private static String definition(String kind, String group, String properties) {
        String plural = kind.toLowerCase(Locale.ROOT) + "s";
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %1$s.%2$s}
                spec:
                  group: %2$s
                  names: {kind: %3$s, plural: %1$s, singular: %4$s, listKind: %3$sList}
                  scope: Namespaced
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {%5$s}}}
                """.formatted(plural, group, kind, plural.substring(0, plural.length() - 1), properties);
    }

    private void instance(String kind, String name, String text) {
        write("""
                apiVersion: test.example.com/v1
                kind: %s
                metadata: {name: %s, namespace: default}
                spec: {text: %s}
                """.formatted(kind, name, text));
    }

    private void write(String yaml) {
        client.resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class))
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager("user")
                        .withForce(true)
                        .build());
    }

    private GenericKubernetesResource stored(String blueprint) {
        return client.genericKubernetesResources(API_VERSION, "Blueprint")
                .withName(blueprint)
                .require();
    }

    private String ready(String blueprint) {
        return condition(stored(blueprint));
    }

    private String condition(GenericKubernetesResource object) {
        JsonNode ready = client.getKubernetesSerialization()
                .convertValue(object, JsonNode.class)
                .at("/status/conditions/0");
        return ready.path("status").asText() + " " + ready.path("reason").asText() + " "
                + ready.path("message").asText();
    }

    private CustomResourceDefinition defined(String name) {
        return client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .require();
    }

    private String version(String definition) {
        return defined(definition).getMetadata().getResourceVersion();
    }

    private String map(String name) {
        return Optional.ofNullable(client.resources(ConfigMap.class)
                        .inNamespace("default")
                        .withName(name)
                        .get())
                .map(map -> map.getData().get("text"))
                .orElse("");
    }

    private boolean waits(String roll) {
        return told("Roll", roll).startsWith("False Waiting");
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(assertion);
    }
}
