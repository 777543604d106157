package io.busbar.blueprint.operator;

import static io.busbar.blueprint.operator.BundleCluster.CONFIG_MAP;
import static io.busbar.blueprint.operator.BundleCluster.blueprint;
import static io.busbar.blueprint.operator.BundleCluster.definition;
import static io.busbar.blueprint.operator.BundleCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Kinds of Blueprints in a cluster without webhooks: their definitions, and whose they are. */
@TestInstance(Lifecycle.PER_CLASS)
class BlueprintsBundleTest {

    @AutoClose
    private final BundleCluster cluster = new BundleCluster();

    @BeforeAll
    void run() throws Exception {
        cluster.start();
    }

    @Test
    void a_definition_is_kept_as_it_was_made_and_written_only_where_it_differs() {
        cluster.write(blueprint("Kept", CONFIG_MAP));
        eventually(() -> assertThat(cluster.ready("kept")).startsWith("True Running"));
        String before = cluster.version("kepts.test.example.com");
        long stored = Long.parseLong(cluster.stored("kept").getMetadata().getResourceVersion());
        cluster.client()
                .resource(cluster.stored("kept"))
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"labels\":{\"touched\":\"1\"}}}");
        cluster.instance("Kept", "one", "text");
        eventually(() -> assertThat(cluster.map("one")).isEqualTo("text"));
        assertThat(cluster.version("kepts.test.example.com")).isEqualTo(before);
        assertThat(cluster.stored("kept").getMetadata().getGeneration()).isEqualTo(1);
        assertThat(Long.parseLong(cluster.stored("kept").getMetadata().getResourceVersion()))
                .isGreaterThan(stored);

        cluster.client()
                .resource(cluster.defined("kepts.test.example.com"))
                .patch(PatchContext.of(PatchType.JSON), """
                [{"op": "replace", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec",
                  "value": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 1}}}}]""");
        eventually(() -> assertThat(cluster.defined("kepts.test.example.com")
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
        cluster.write(definition("Foreign", "test.example.com", "spec: {type: object}"));
        cluster.write(blueprint("Foreign", CONFIG_MAP));
        eventually(
                () -> assertThat(cluster.ready("foreign"))
                        .startsWith("False Invalid")
                        .contains(
                                "belongs to somebody else: its definition lacks the label blueprints.busbar.io/blueprint=foreign"));
        cluster.write(blueprint("Foreign", CONFIG_MAP).replace("name: foreign", "name: twin"));
        eventually(() -> assertThat(cluster.ready("twin")).contains("belongs to somebody else"));
        cluster.client()
                .resource(cluster.defined("foreigns.test.example.com"))
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"blueprints.busbar.io/blueprint\":\"foreign\"}}}");
        eventually(() -> assertThat(cluster.ready("foreign")).startsWith("True Running"));
        eventually(() -> assertThat(cluster.ready("twin"))
                .startsWith("False Invalid")
                .contains("belongs to the Blueprint foreign"));
        cluster.instance("Foreign", "mine", "now");
        eventually(() -> assertThat(cluster.map("mine")).isEqualTo("now"));
    }

    @Test
    void a_kind_keeps_its_plural() {
        cluster.write(blueprint("Podinfo", CONFIG_MAP).replace("    group:", "    plural: podinfo\n    group:"));
        eventually(() -> assertThat(cluster.ready("podinfo")).startsWith("True Running"));

        cluster.write(blueprint("Podinfo", CONFIG_MAP).replace("    group:", "    plural: podinfos\n    group:"));
        eventually(() -> assertThat(cluster.ready("podinfo"))
                .startsWith("False Invalid spec.schema.plural: ")
                .contains("the kind Podinfo of the group test.example.com has the plural podinfo already")
                .endsWith("revision 1 goes on"));

        cluster.write(blueprint("Podinfo", CONFIG_MAP));
        eventually(() -> assertThat(cluster.ready("podinfo"))
                .as("where nobody writes a plural")
                .startsWith("False Invalid spec.schema.kind: "));
    }
}
