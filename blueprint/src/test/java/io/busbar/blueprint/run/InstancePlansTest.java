package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.sandbox.SandboxOptions;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Plans that begin by themselves. */
@TestInstance(Lifecycle.PER_CLASS)
class InstancePlansTest {

    /** Its server has as many replicas as its plans have given it. */
    private static final String GROWN =
            Blueprints.with("""
                    spec:
                      members: integer | default=1
                      text: string | default=none
                    status:
                      members: ${server.spec.replicas}
                    """, Runs.SERVER)
                            .replace("kind: Test", "kind: Grown")
                            .replace("name: test", "name: grown") + """
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

    /** Nothing of its spec has to be given. */
    private static final String BARE = Blueprints.with("""
                    spec:
                      text: string
                    """, """
                    - id: words
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}"}
                    """).replace("kind: Test", "kind: Bare") + """
              plans:
                - name: deploy
                  phases:
                    - name: all
                      steps:
                        - name: tell
                          patch: &told
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: "${schema.metadata.name}"}
                            data: {by: "${run.name}"}
                - name: update
                  phases: [{name: all, steps: [{name: tell, patch: *told}]}]
            """;

    /** What its plans are given is there once somebody has written it. */
    private static final String TOLD_LATE = Blueprints.with("""
                    spec:
                      text: string | default=none
                    """, """
                    - id: words
                      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}"}}
                    """).replace("kind: Test", "kind: ToldLate") + """
              plans:
                - name: deploy
                  parameters: {text: "${words.data.text}"}
                  phases: &tell
                    - name: all
                      steps:
                        - name: tell
                          apply:
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: "${run.name}"}
                            data: {text: "${run.parameters.text}"}
                - name: update
                  parameters: {text: "${oldSelf.spec.text}-${words.data.text}"}
                  phases: *tell
            """;

    @AutoClose
    private final BlueprintCluster cluster =
            new BlueprintCluster(SandboxOptions.defaults().withRbac(true));

    private final Runs runs = new Runs(cluster);

    @BeforeAll
    void run() throws Exception {
        cluster.run(
                Blueprints.named("grown", GROWN),
                Blueprints.named("bare", BARE),
                Blueprints.named("told-late", TOLD_LATE));
    }

    @Test
    void plans_begin_by_themselves_one_after_the_other_and_one_carries_out_the_deletion() {
        grown("tree", "members: 3");
        eventually(() -> assertThat(grown("tree")).isEqualTo("True Ready all resources are ready"));
        eventually(() -> assertThat(runs.about("tree")).containsExactly("tree-deploy-1", "tree-grow-2", "tree-grow-3"));
        eventually(() -> assertThat(grown("tree")).isEqualTo("True Ready all resources are ready"));
        assertThat(cluster.json("busbar.io/v1", "Grown", "tree")
                        .at("/status/members")
                        .asInt())
                .isEqualTo(3);
        assertThat(cluster.data("tree-deploy-1")).containsEntry("text", "none");

        grown("tree", "members: 4, text: other");
        eventually(() -> {
            assertThat(runs.about("tree")).endsWith("tree-grow-4", "tree-update-5", "tree-after-6");
            assertThat(cluster.data("tree-update-5"))
                    .containsEntry("text", "none")
                    .containsEntry("now", "other");
            assertThat(grown("tree")).isEqualTo("True Ready all resources are ready");
        });

        String uid = cluster.json("busbar.io/v1", "Grown", "tree")
                .at("/metadata/uid")
                .asText();
        String last = "tree-delete-" + uid.substring(0, 8);
        cluster.object("busbar.io/v1", "Grown", "tree").delete();
        eventually(
                () -> assertThat(cluster.object("busbar.io/v1", "Grown", "tree").get())
                        .isNull());
        assertThat(cluster.data(last)).containsEntry("now", "other");
        eventually(() -> assertThat(runs.about("tree")).isEmpty());
    }

    @Test
    void after_a_plan_that_has_failed_none_begins_until_the_spec_changes() {
        grown("sick", "text: fine");
        eventually(() -> assertThat(grown("sick")).isEqualTo("True Ready all resources are ready"));
        grown("sick", "text: bad");
        eventually(() -> assertThat(grown("sick"))
                .isEqualTo("False PlanFailed the run 'sick-update-2' of the plan 'update' has not succeeded;"
                        + " its status says why"));
        cluster.client()
                .apps()
                .statefulSets()
                .inNamespace("default")
                .withName("sick")
                .edit(set -> {
                    set.getMetadata().setAnnotations(Map.of("touched", "yes"));
                    return set;
                });
        grown("sick", "text: bad, members: 2");
        eventually(() ->
                assertThat(runs.about("sick")).containsExactly("sick-deploy-1", "sick-update-2", "sick-update-3"));
        eventually(() -> assertThat(runs.told("sick-update-3")).startsWith("False Failed"));
        assertThat(cluster.data("sick-update-3")).as("is the same again").containsEntry("text", "fine");
        grown("sick", "text: good, members: 2");
        eventually(() -> assertThat(runs.about("sick"))
                .endsWith("sick-update-3", "sick-grow-4", "sick-update-5", "sick-after-6"));
        eventually(() -> assertThat(grown("sick")).isEqualTo("True Ready all resources are ready"));
        assertThat(cluster.data("sick-update-5")).containsEntry("text", "bad");
    }

    @Test
    void plans_of_an_instance_without_a_spec_begin_once() {
        String bare = "apiVersion: busbar.io/v1\nkind: Bare\nmetadata: {name: bare, namespace: default}\n";
        cluster.write(bare);
        eventually(() -> {
            assertThat(cluster.data("bare")).containsEntry("by", "bare-deploy-1");
            assertThat(cluster.ready("busbar.io/v1", "Bare", "bare")).isEqualTo("True Ready all resources are ready");
        });
        cluster.write(bare + "spec: {text: some}\n");
        eventually(() -> assertThat(cluster.data("bare")).containsEntry("by", "bare-update-2"));
        assertThat(runs.about("bare")).containsExactly("bare-deploy-1", "bare-update-2");
    }

    @Test
    void a_number_is_passed_over_whose_run_is_of_an_instance_of_another_kind() {
        grown("twin", "text: any");
        eventually(() -> assertThat(grown("twin")).isEqualTo("True Ready all resources are ready"));
        String bare = "apiVersion: busbar.io/v1\nkind: Bare\nmetadata: {name: twin, namespace: default}\n";
        cluster.write(bare);
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Bare", "twin"))
                .isEqualTo("True Ready all resources are ready"));
        cluster.write(bare + "spec: {text: some}\n");
        eventually(() -> assertThat(cluster.data("twin")).containsEntry("by", "twin-update-3"));
        assertThat(runs.about("twin")).containsExactly("twin-deploy-1", "twin-deploy-2", "twin-update-3");
    }

    @Test
    void a_plan_begins_once_what_it_is_to_be_given_is_known() {
        toldLate("none");
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "ToldLate", "late"))
                .isEqualTo("False Waiting the parameter 'text' of the plan 'deploy' is not known yet:"
                        + " 'words.data.text' is not known yet: no such key: data"));
        BlueprintCluster.patch(cluster.object("v1", "ConfigMap", "late"), "{\"data\": {\"text\": \"a\"}}");
        eventually(() -> assertThat(cluster.data("late-deploy-1")).containsEntry("text", "a"));

        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "ToldLate", "late")).startsWith("True Ready"));
        BlueprintCluster.patch(cluster.object("v1", "ConfigMap", "late"), "{\"data\": null}");
        toldLate("other");
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "ToldLate", "late"))
                .isEqualTo("False Waiting the parameter 'text' of the plan 'update' is not known yet:"
                        + " 'words.data.text' is not known yet: no such key: data"));
        BlueprintCluster.patch(cluster.object("v1", "ConfigMap", "late"), "{\"data\": {\"text\": \"b\"}}");
        eventually(() -> assertThat(cluster.data("late-update-2")).containsEntry("text", "none-b"));
    }

    private void toldLate(String text) {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: ToldLate
                metadata: {name: late, namespace: default}
                spec: {text: %s}
                """.formatted(text));
    }

    private void grown(String name, String spec) {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Grown
                metadata: {name: %s, namespace: default}
                spec: {%s}
                """.formatted(name, spec));
    }

    private String grown(String name) {
        return cluster.ready("busbar.io/v1", "Grown", name);
    }
}
