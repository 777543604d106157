package io.busbar.blueprint.operator;

import static io.busbar.blueprint.operator.BundleCluster.API_VERSION;
import static io.busbar.blueprint.operator.BundleCluster.CONFIG_MAP;
import static io.busbar.blueprint.operator.BundleCluster.blueprint;
import static io.busbar.blueprint.operator.BundleCluster.definition;
import static io.busbar.blueprint.operator.BundleCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What instances say of a Blueprint that does not run. */
@TestInstance(Lifecycle.PER_CLASS)
class UnservedNoticesTest {

    @AutoClose
    private final BundleCluster cluster = new BundleCluster();

    @BeforeAll
    void run() throws Exception {
        cluster.start();
    }

    @Test
    void an_instance_says_that_its_blueprint_waits_and_is_new_to_it_once_it_runs() {
        cluster.write(blueprint(
                        "Idle",
                        "{apiVersion: idle.example.com/v1, kind: Gadget, metadata: {name: \"${schema.metadata.name}\"}}")
                + """
                  plans:
                    - name: deploy
                      phases: [{name: all, steps: [{name: go, wait: "${schema.spec.text == 'go'}"}]}]
                """);
        eventually(() ->
                assertThat(cluster.ready("idle")).startsWith("False Starting").contains("404"));
        cluster.instance("Idle", "idle", "go");
        eventually(() -> assertThat(cluster.told("Idle", "idle"))
                .startsWith("False Unserved the Blueprint 'idle' does not run: ")
                .contains("gadgets.idle.example.com is not listed yet: "));

        cluster.write(definition("Gadget", "idle.example.com", "spec: {type: object}"));
        eventually(() -> assertThat(cluster.told("Idle", "idle")).startsWith("True Ready"));
        assertThat(cluster.client()
                        .genericKubernetesResources(API_VERSION, "BlueprintRun")
                        .inNamespace("default")
                        .withName("idle-deploy-1")
                        .get())
                .as("the plan for a new instance")
                .isNotNull();
    }

    @Test
    void an_instance_of_a_kind_that_its_blueprint_had_before_is_told_nothing() {
        String gadget = "{apiVersion: moved.example.com/v1, kind: Gadget, metadata: {name: gadget}}";
        cluster.write(blueprint("Mover", CONFIG_MAP));
        eventually(() -> assertThat(cluster.ready("mover")).startsWith("True Running"));
        cluster.write(blueprint("Moved", gadget).replace("{name: moved}", "{name: mover}"));
        eventually(() ->
                assertThat(cluster.ready("mover")).startsWith("False Starting").contains("404"));
        cluster.instance("Mover", "of-before", "one");
        for (String name : List.of("of-now", "of-later")) {
            cluster.instance("Moved", name, "one");
            eventually(() -> assertThat(cluster.told("Moved", name)).startsWith("False Unserved"));
        }

        assertThat(cluster.instance("Mover", "of-before").<Object>get("status")).isNull();
    }

    @Test
    void an_instance_says_that_nothing_of_its_blueprint_is_fit() {
        cluster.write(blueprint("Stray", CONFIG_MAP));
        eventually(() -> assertThat(cluster.ready("stray")).startsWith("True Running"));
        cluster.instance("Stray", "stray-known", "one");
        eventually(() -> assertThat(cluster.told("Stray", "stray-known")).startsWith("True Ready"));
        cluster.client().resource(cluster.stored("stray")).delete();
        eventually(() -> assertThat(cluster.client()
                        .genericKubernetesResources(API_VERSION, "Blueprint")
                        .withName("stray")
                        .get())
                .isNull());
        cluster.instance("Stray", "stray-new", "one");

        cluster.write(blueprint("Stray", CONFIG_MAP.replace("schema.spec.text", "schema.spec.size")));
        eventually(() -> assertThat(cluster.told("Stray", "stray-new"))
                .startsWith("False Unserved the Blueprint 'stray' does not run: ")
                .contains("undefined field 'size'"));
        cluster.instance("Stray", "stray-newer", "one");
        eventually(() -> assertThat(cluster.told("Stray", "stray-newer")).startsWith("False Unserved"));
        assertThat(cluster.told("Stray", "stray-known"))
                .as("of one that has not changed since somebody looked at it")
                .startsWith("True Ready");

        cluster.write(blueprint("Stray", CONFIG_MAP));
        eventually(() -> assertThat(cluster.told("Stray", "stray-new")).startsWith("True Ready"));
    }
}
