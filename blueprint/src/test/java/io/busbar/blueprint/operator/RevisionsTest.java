package io.busbar.blueprint.operator;

import static io.busbar.blueprint.operator.BundleCluster.CONFIG_MAP;
import static io.busbar.blueprint.operator.BundleCluster.blueprint;
import static io.busbar.blueprint.operator.BundleCluster.definition;
import static io.busbar.blueprint.operator.BundleCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Which revision of a Blueprint its instances have: after one that fails, in a rollout, and after a restart. */
@TestInstance(Lifecycle.PER_CLASS)
class RevisionsTest {

    @AutoClose
    private final BundleCluster cluster = new BundleCluster();

    @BeforeAll
    void run() throws Exception {
        cluster.start();
    }

    @Test
    void a_revision_that_fails_on_an_instance_leaves_it_as_it_was() {
        cluster.write(blueprint("Split", CONFIG_MAP));
        eventually(() -> assertThat(cluster.ready("split")).startsWith("True Running"));
        cluster.instance("Split", "five", "'5'");
        cluster.instance("Split", "zero", "'0'");
        eventually(() ->
                assertThat(List.of(cluster.map("five"), cluster.map("zero"))).containsExactly("5", "0"));
        eventually(() -> assertThat(cluster.told("Split", "zero")).startsWith("True Ready"));
        String first = cluster.revision("Split", "zero");
        assertThat(first).startsWith("split-");

        cluster.write(blueprint("Split", CONFIG_MAP.replace("schema.spec.text", "string(10 / int(schema.spec.text))")));
        eventually(() -> {
            assertThat(cluster.map("five")).isEqualTo("2");
            assertThat(cluster.revision("Split", "five")).isNotEqualTo(first);
            assertThat(cluster.told("Split", "zero"))
                    .startsWith("False Failed")
                    .contains("division by zero")
                    .endsWith("; revision " + first + " goes on");
            assertThat(cluster.revision("Split", "zero")).isEqualTo(first);
        });
        cluster.client().configMaps().inNamespace("default").withName("zero").delete();
        eventually(() -> assertThat(cluster.map("zero")).isEqualTo("0"));

        cluster.instance("Split", "zero", "'10'");
        eventually(() -> {
            assertThat(cluster.map("zero")).isEqualTo("1");
            assertThat(cluster.revision("Split", "zero")).isEqualTo(cluster.revision("Split", "five"));
            assertThat(cluster.told("Split", "zero")).startsWith("True Ready");
        });
    }

    @Test
    void instances_move_to_a_new_revision_as_many_at_once_as_its_rollout_says() {
        List<String> names = List.of("roll-a", "roll-b", "roll-c", "roll-d");
        cluster.write(blueprint("Roll", CONFIG_MAP));
        eventually(() -> assertThat(cluster.ready("roll")).startsWith("True Running"));
        names.forEach(name -> cluster.instance("Roll", name, "old"));
        eventually(() -> assertThat(names)
                .allSatisfy(name -> assertThat(cluster.map(name)).isEqualTo("old")));

        String next = blueprint("Roll", CONFIG_MAP.replace("${schema.spec.text}", "new")) + """
                      readyWhen: ["${made.metadata.?annotations[?'seen'].orValue('') == 'yes'}"]
                """;
        cluster.write(next + "  rollout: {maxUnavailable: 1, partition: 25%}\n");
        for (int moved = 1; moved <= 3; moved++) {
            int many = moved;
            eventually(() -> assertThat(with("new", names)).hasSize(many));
            // What one is made of is written before what is told of it.
            eventually(
                    () -> assertThat(with("new", names)).filteredOn(this::waits).hasSize(1));
            String last =
                    with("new", names).stream().filter(this::waits).findFirst().orElseThrow();
            assertThat(with("new", names)).as("while one is not ready").hasSize(many);
            cluster.client().configMaps().inNamespace("default").withName(last).edit(map -> {
                map.getMetadata().setAnnotations(Map.of("seen", "yes"));
                return map;
            });
            eventually(() -> assertThat(cluster.told("Roll", last)).startsWith("True Ready"));
        }
        String left = with("old", names).get(0);
        assertThat(cluster.told("Roll", left)).startsWith("True Ready");
        cluster.instance("Roll", left, "changed");
        eventually(() ->
                assertThat(cluster.map(left)).as("still by the revision before").isEqualTo("changed"));
        cluster.instance("Roll", "roll-e", "whatever");
        eventually(() -> assertThat(cluster.map("roll-e")).as("is new").isEqualTo("new"));

        cluster.write(blueprint("Roll", CONFIG_MAP) + "  rollout: {paused: true}\n");
        eventually(() -> assertThat(cluster.ready("roll")).startsWith("True Running"));
        cluster.client().configMaps().inNamespace("default").withName(left).delete();
        eventually(() ->
                assertThat(cluster.map(left)).as("has what is the newest again").isEqualTo("changed"));
        eventually(() -> assertThat(cluster.told("Roll", left)).startsWith("True Ready"));
        assertThat(cluster.map("roll-e")).as("is held back now").isEqualTo("new");

        cluster.write(next + "  rollout: {paused: true}\n");
        eventually(() ->
                assertThat(cluster.stored("roll").getMetadata().getGeneration()).isEqualTo(4));
        assertThat(cluster.map(left)).isEqualTo("changed");
        cluster.write(next);
        eventually(() -> assertThat(cluster.map(left)).isEqualTo("new"));
        assertThat(cluster.revisions("roll")).as("a rollout is no revision").isEqualTo(2);
    }

    private List<String> with(String text, List<String> names) {
        return names.stream().filter(name -> cluster.map(name).equals(text)).toList();
    }

    private boolean waits(String roll) {
        return cluster.told("Roll", roll).startsWith("False Waiting");
    }

    @Test
    void what_a_rollout_holds_back_stays_so_while_the_newest_spec_is_unfit() {
        cluster.write(blueprint("Calm", CONFIG_MAP));
        eventually(() -> assertThat(cluster.ready("calm")).startsWith("True Running"));
        cluster.instance("Calm", "calm-x", "old");
        eventually(() -> assertThat(cluster.told("Calm", "calm-x")).startsWith("True Ready"));

        String paused =
                blueprint("Calm", CONFIG_MAP.replace("${schema.spec.text}", "new")) + "  rollout: {paused: true}\n";
        cluster.write(paused);
        eventually(() -> assertThat(cluster.revisions("calm")).isEqualTo(2));
        cluster.write(paused.replace("default=none", "default=n maxLength=1"));
        eventually(() -> assertThat(cluster.ready("calm"))
                .startsWith("False BreaksInstances")
                .endsWith("revision 2 goes on"));
        cluster.instance("Calm", "calm-x", "older");
        eventually(() -> assertThat(cluster.map("calm-x")).as("by revision 1").isEqualTo("older"));
    }

    @Test
    void what_has_become_unfit_goes_on_as_it_was_also_after_a_restart() throws Exception {
        cluster.write(blueprint(
                "Gate",
                "{apiVersion: later.example.com/v1, kind: Widget, metadata: {name: \"${schema.metadata.name}\"},"
                        + " spec: {text: \"${schema.spec.text}\"}}"));
        eventually(() -> assertThat(cluster.ready("gate"))
                .startsWith("False Starting")
                .contains("widgets.later.example.com is not listed yet: ")
                .contains("404"));
        cluster.write(
                definition("Widget", "later.example.com", "spec: {type: object, properties: {text: {type: string}}}"));
        eventually(() -> assertThat(cluster.ready("gate")).startsWith("True Running"));
        cluster.instance("Gate", "first", "hello");
        eventually(() -> assertThat(widget("first")).isEqualTo("hello"));

        cluster.write(
                definition("Widget", "later.example.com", "spec: {type: object, properties: {size: {type: integer}}}")
                        .replace("size: {type: integer}", "text: {type: integer}"));
        eventually(() -> assertThat(cluster.ready("gate"))
                .startsWith("False Invalid")
                .contains("spec.resources[0].template.spec.text")
                .contains("needs an integer"));
        cluster.write(
                definition("Widget", "later.example.com", "spec: {type: object, properties: {text: {type: string}}}"));
        eventually(() -> assertThat(cluster.ready("gate")).startsWith("True Running"));

        cluster.write(blueprint("Gate", CONFIG_MAP.replace("schema.spec.text", "schema.spec.size")));
        eventually(() -> assertThat(cluster.ready("gate"))
                .startsWith("False Invalid")
                .contains("undefined field 'size'")
                .endsWith("revision 1 goes on"));
        cluster.restart();
        cluster.instance("Gate", "second", "still");
        eventually(() -> assertThat(widget("second")).isEqualTo("still"));
        eventually(() -> assertThat(cluster.ready("gate")).endsWith("revision 1 goes on"));
        assertThat(cluster.revisions("gate")).isEqualTo(1);
    }

    @Test
    void what_runs_goes_on_also_after_a_restart_when_the_api_server_refuses_the_definition() throws Exception {
        String fixed = blueprint(
                "Fixed",
                CONFIG_MAP.replace(
                        "metadata: {name: \"${schema.metadata.name}\"}",
                        "metadata: {name: \"${schema.metadata.name}\", namespace: default}"));
        cluster.write(fixed);
        eventually(() -> assertThat(cluster.ready("fixed")).startsWith("True Running"));
        cluster.instance("Fixed", "fixed-a", "one");
        eventually(() -> assertThat(cluster.map("fixed-a")).isEqualTo("one"));

        cluster.write(fixed.replace("    kind: Fixed\n", "    kind: Fixed\n    scope: Cluster\n"));
        eventually(() -> assertThat(cluster.ready("fixed")).startsWith("False Refused"));
        cluster.restart();
        cluster.instance("Fixed", "fixed-b", "two");
        eventually(() -> assertThat(cluster.map("fixed-b")).isEqualTo("two"));
        eventually(() -> assertThat(cluster.ready("fixed"))
                .startsWith("False Refused")
                .contains("spec.scope")
                .endsWith("revision 1 goes on"));
    }

    private String widget(String name) {
        return Optional.ofNullable(cluster.client()
                        .genericKubernetesResources("later.example.com/v1", "Widget")
                        .inNamespace("default")
                        .withName(name)
                        .get())
                .map(widget -> String.valueOf(widget.<Object>get("spec", "text")))
                .orElse("");
    }
}
