package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.sandbox.SandboxOptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Plans that carry out the deletion of an instance. */
@TestInstance(Lifecycle.PER_CLASS)
class LastPlansTest {

    /** Nobody makes what its last plan is to be given. */
    private static final String UNGIVEN = Blueprints.with("", """
                    - id: words
                      externalRef:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}-words"}
                    """).replace("kind: Test", "kind: Ungiven") + """
              plans:
                - name: delete
                  parameters: {text: "${words.data.text}"}
                  phases:
                    - name: all
                      steps:
                        - name: tell
                          apply:
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: "${schema.metadata.name}-told", ownerReferences: []}
                            data: {text: "${run.parameters.text}"}
                        - name: good
                          wait: ${run.parameters.text != 'bad'}
                          timeoutSeconds: 1
            """;

    /** What its last plan is given is not there any more once that plan is under way. */
    private static final String LEAVER =
            Blueprints.with("", Runs.SERVER + """
                      readyWhen: ["${server.status.?readyReplicas.orValue(0) == 1}"]
                    """).replace("kind: Test", "kind: Leaver") + """
              plans:
                - name: delete
                  parameters: {n: "${string(server.status.replicas)}"}
                  phases:
                    - name: all
                      steps:
                        - name: server
                          delete: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: "${schema.metadata.name}"}}
            """;

    @AutoClose
    private final BlueprintCluster cluster =
            new BlueprintCluster(SandboxOptions.defaults().withRbac(true));

    private final Runs runs = new Runs(cluster);

    @BeforeAll
    void run() throws Exception {
        cluster.run(
                Blueprints.named("former", Runs.FORMER),
                Blueprints.named("ungiven", UNGIVEN),
                Blueprints.named("leaver", LEAVER));
    }

    @Test
    void an_instance_goes_also_when_its_last_plan_has_deleted_what_it_was_given_a_value_of() {
        cluster.write("apiVersion: busbar.io/v1\nkind: Leaver\nmetadata: {name: leaver, namespace: default}\n");
        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "Leaver", "leaver")).startsWith("True Ready"));
        cluster.object("busbar.io/v1", "Leaver", "leaver").delete();
        eventually(() -> assertThat(
                        cluster.object("busbar.io/v1", "Leaver", "leaver").get())
                .isNull());
        eventually(() -> assertThat(runs.about("leaver")).isEmpty());
    }

    @Test
    void an_instance_can_go_also_when_what_its_last_plan_is_to_be_given_is_never_known() {
        String told = leaveUngiven("given");
        assertThat(told).contains("with values for text takes its place").contains("'cancel: true'");
        cluster.write(lastRun("given", "parameters: {text: own}"));
        eventually(() -> assertThat(
                        cluster.object("busbar.io/v1", "Ungiven", "given").get())
                .isNull());
        assertThat(cluster.data("given-told")).containsEntry("text", "own");

        leaveUngiven("dropped");
        cluster.write(lastRun("dropped", "cancel: true"));
        eventually(() -> assertThat(
                        cluster.object("busbar.io/v1", "Ungiven", "dropped").get())
                .isNull());
        assertThat(cluster.object("v1", "ConfigMap", "dropped-told").get()).isNull();
    }

    @Test
    void an_instance_goes_when_its_last_run_is_cancelled_that_has_failed() {
        leaveUngiven("failed");
        cluster.write(lastRun("failed", "parameters: {text: bad}"));
        String last = lastRunOf("failed");
        eventually(() -> assertThat(runs.told(last)).startsWith("False Failed good: it has taken longer than 1 s"));
        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "Ungiven", "failed")).startsWith("False PlanFailed"));
        BlueprintCluster.patch(
                cluster.object("blueprints.busbar.io/v1alpha1", "BlueprintRun", last),
                "{\"spec\": {\"cancel\": true}}");
        eventually(() -> assertThat(
                        cluster.object("busbar.io/v1", "Ungiven", "failed").get())
                .isNull());
    }

    /** As one of which the Blueprint has changed since the run was made. */
    @Test
    void an_instance_goes_also_when_its_last_run_names_another_version() {
        leaveUngiven("older");
        cluster.write(lastRun("older", "parameters: {text: own}").replace("busbar.io/v1,", "busbar.io/v1beta1,"));
        eventually(() -> assertThat(
                        cluster.object("busbar.io/v1", "Ungiven", "older").get())
                .isNull());
        assertThat(cluster.data("older-told")).containsEntry("text", "own");
    }

    @Test
    void a_run_of_the_last_ones_name_that_is_about_another_kind_is_not_taken_for_it() {
        cluster.data("taken-words", "go");
        cluster.data("taken-precious", "kept");
        cluster.write("apiVersion: busbar.io/v1\nkind: Former\nmetadata: {name: taken, namespace: default}\n");
        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "Former", "taken")).startsWith("True Ready"));
        var instance = cluster.object("busbar.io/v1", "Former", "taken");
        String last = "taken-delete-" + instance.get().getMetadata().getUid().substring(0, 8);
        runs.make(last, "Another", "taken", "delete");
        instance.delete();
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Former", "taken"))
                .startsWith("False Refused ")
                .contains("\"" + last + "\" already exists"));

        cluster.object("blueprints.busbar.io/v1alpha1", "BlueprintRun", last).delete();
        eventually(() -> assertThat(instance.get()).isNull());
        assertThat(cluster.object("v1", "ConfigMap", "taken-precious").get())
                .as("what its own last run deletes")
                .isNull();
    }

    /** Deletes a new one, and returns what it says then. */
    private String leaveUngiven(String name) {
        cluster.write(
                "apiVersion: busbar.io/v1\nkind: Ungiven\nmetadata: {name: %s, namespace: default}\n".formatted(name));
        eventually(
                () -> assertThat(cluster.ready("busbar.io/v1", "Ungiven", name)).startsWith("False Waiting words:"));
        cluster.object("busbar.io/v1", "Ungiven", name).delete();
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "Ungiven", name))
                .startsWith(
                        "False Waiting the parameter 'text' of the plan 'delete' is not known yet: 'words' is not there;"
                                + " a BlueprintRun '" + lastRunOf(name) + "' of this plan"));
        return cluster.ready("busbar.io/v1", "Ungiven", name);
    }

    private String lastRunOf(String name) {
        String uid = cluster.json("busbar.io/v1", "Ungiven", name)
                .at("/metadata/uid")
                .asText();
        return name + "-delete-" + uid.substring(0, 8);
    }

    private String lastRun(String name, String more) {
        return """
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: %s, namespace: default}
                spec: {plan: delete, %s, instance: {apiVersion: busbar.io/v1, kind: Ungiven, name: %s}}
                """.formatted(lastRunOf(name), more, name);
    }
}
