package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Conditions that a Blueprint makes of its own. */
@TestInstance(Lifecycle.PER_CLASS)
class InstanceConditionsTest {

    private static final String RESOURCES = """
            - id: words
              template:
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: "${schema.metadata.name}"}
                data: {text: "${schema.spec.text}"}
            - id: maps
              forEach: [{name: "${schema.spec.names}"}]
              template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-${name}"}}
            """;

    private static final String TOLD = Blueprints.with("""
                    spec:
                      text: string | default=fine
                      names: "[]string"
                    status:
                      text: ${words.data.text}
                      conditions:
                        - "${runtime.newCondition({type: 'Sound', status: words.data.text == 'fine' ? 'True' : 'False', reason: 'Text', message: words.data.text})}"
                        - "${maps.map(one, runtime.newCondition({type: one.metadata.name, status: 'Unknown'}))}"
                        - "${runtime.newCondition({type: 'Divided', status: 10 / int(words.data[?'by'].orValue('1')) > 1 ? 'True' : 'False'})}"
                    """, RESOURCES).replace("kind: Test", "kind: Told");

    private static final String OWN_READY = Blueprints.with("""
                    spec:
                      text: string | default=fine
                      names: "[]string"
                    status:
                      conditions:
                        - >-
                          ${runtime.newCondition({
                            'type': 'Ready',
                            'status': runtime.condition(schema, 'ResourcesReady').status == 'True' && words.data.text == 'fine' ? 'True' : 'False',
                            'reason': runtime.condition(words, 'None').status == '' ? 'Composed' : 'Odd'})}
                    """, RESOURCES).replace("kind: Test", "kind: Composed");

    @AutoClose
    private final BlueprintCluster cluster = new BlueprintCluster(SandboxOptions.defaults());

    @BeforeAll
    void run() throws Exception {
        cluster.run(Blueprints.named("told", TOLD), Blueprints.named("composed", OWN_READY));
    }

    @Test
    void stand_beside_the_operators_own_and_go_with_what_makes_them() {
        write("Told", "names: [a, b]");
        eventually(() -> assertThat(conditions("Told"))
                .containsExactly(
                        "Ready True Ready all resources are ready",
                        "Sound True Text fine",
                        "told-a Unknown told-a told-a",
                        "told-b Unknown told-b told-b",
                        "Divided True Divided Divided"));

        write("Told", "names: [b], text: poor");
        eventually(() -> assertThat(conditions("Told"))
                .containsExactly(
                        "Ready True Ready all resources are ready",
                        "Sound False Text poor",
                        "told-b Unknown told-b told-b",
                        "Divided True Divided Divided"));
        assertThat(cluster.json("busbar.io/v1", "Told", "told")
                        .at("/status/conditions/1/observedGeneration")
                        .asInt())
                .isEqualTo(2);

        BlueprintCluster.patch(cluster.object("v1", "ConfigMap", "told"), "{\"data\":{\"by\":\"0\"}}");
        eventually(() -> assertThat(conditions("Told"))
                .satisfies(all -> assertThat(all.get(0))
                        .startsWith("Ready False Failed spec.schema.status.conditions[2]")
                        .contains("by zero"))
                .as("stays as it was")
                .endsWith("Divided True Divided Divided"));
    }

    @Test
    void one_may_be_ready_itself_and_read_whether_all_resources_are() {
        write("Composed", "names: []");
        eventually(() -> assertThat(conditions("Composed"))
                .containsExactly("ResourcesReady True Ready all resources are ready", "Ready True Composed Composed"));
        write("Composed", "names: [], text: poor");
        eventually(() -> assertThat(conditions("Composed"))
                .containsExactly("ResourcesReady True Ready all resources are ready", "Ready False Composed Composed"));
    }

    @Test
    void one_that_was_told_while_nobody_looked_goes_whoever_makes_its_type_now() {
        String composed = """
                apiVersion: busbar.io/v1
                kind: Composed
                metadata: {name: others, namespace: default, annotations: {applyset.kubernetes.io/tooling: kubectl/1}}
                spec: {text: %s}
                """;
        cluster.write(composed.formatted("one"));
        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "Composed", "others")).startsWith("False OtherTool"));
        cluster.object("busbar.io/v1", "Composed", "others")
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"status": {"observedGeneration": 0, "conditions": [
                          {"type": "Ready", "status": "False", "reason": "Unserved", "message": "nobody looks",
                           "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}""");
        cluster.write(composed.formatted("two"));

        eventually(() -> {
            JsonNode status = cluster.json("busbar.io/v1", "Composed", "others").path("status");
            assertThat(status.path("observedGeneration").asInt()).isEqualTo(2);
            assertThat(status.path("conditions").findValuesAsText("reason")).containsExactly("OtherTool");
        });
    }

    private void write(String kind, String spec) {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: %s
                metadata: {name: %s, namespace: default}
                spec: {%s}
                """.formatted(kind, kind.toLowerCase(Locale.ROOT), spec));
    }

    private List<String> conditions(String kind) {
        List<String> all = new ArrayList<>();
        for (JsonNode one : cluster.json("busbar.io/v1", kind, kind.toLowerCase(Locale.ROOT))
                .at("/status/conditions")) {
            all.add(one.path("type").asText() + " " + one.path("status").asText() + " "
                    + one.path("reason").asText() + " " + one.path("message").asText());
        }
        return all;
    }
}
