package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.blueprint.Blueprints;
import io.busbar.sandbox.SandboxOptions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Jobs of plans, and of instances: their Pods run on until somebody ends them. */
@TestInstance(Lifecycle.PER_CLASS)
class StepJobsTest {

    private static final String WORKED = Blueprints.with("""
                    spec:
                      batch: boolean | default=true
                    """, """
                    - id: batch
                      includeWhen: ["${schema.spec.batch}"]
                      template:
                        apiVersion: batch/v1
                        kind: Job
                        metadata: {name: "${schema.metadata.name}-batch"}
                        spec:
                          template:
                            spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}
                    """).replace("kind: Test", "kind: Worked") + """
              plans:
                - name: work
                  phases:
                    - name: all
                      strategy: parallel
                      steps:
                        - name: copy
                          job: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}}
                        - name: miss
                          patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: nobody}, data: {a: b}}
                - name: retry
                  phases:
                    - name: all
                      strategy: parallel
                      steps:
                        - name: copy
                          job:
                            spec:
                              backoffLimit: 0
                              template:
                                metadata: {annotations: {fake-kubelet/exit-code: "1"}}
                                spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}
                        - name: copy-2
                          job:
                            spec:
                              template:
                                metadata: {annotations: {fake-kubelet/exit-code: "0"}}
                                spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}
            """;

    /** Its last plan begins while the Job of its first one runs. */
    private static final String HURRIED = Blueprints.with("", "").replace("kind: Test", "kind: Hurried") + """
              plans:
                - name: deploy
                  phases:
                    - name: all
                      steps:
                        - name: copy
                          job: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}}
                - name: delete
                  phases:
                    - name: all
                      steps:
                        - name: last
                          apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: hurried-last, ownerReferences: []}}
            """;

    /** It is in no namespace. */
    private static final String WIDE = Blueprints.with("scope: Cluster", "").replace("kind: Test", "kind: Wide") + """
              plans:
                - name: work
                  phases:
                    - name: all
                      steps:
                        - name: copy
                          job:
                            spec:
                              template:
                                metadata: {annotations: {fake-kubelet/exit-code: "0"}}
                                spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}
            """;

    @AutoClose
    private final BlueprintCluster cluster = new BlueprintCluster(SandboxOptions.defaults());

    @BeforeAll
    void run() throws Exception {
        cluster.run(Blueprints.named("worked", WORKED), Blueprints.named("hurried", HURRIED));
        cluster.createNamespace("elsewhere");
        cluster.start(
                BlueprintOperator.of("wide", "0.1.0", List.of(Blueprints.named("wide", WIDE)), Optional.of("default")),
                Set.of("elsewhere"));
    }

    @Test
    void a_job_that_is_wanted_no_more_goes_with_its_pods() {
        worked("it", "batch: true");
        run("night", "it", "work");
        eventually(() -> {
            assertThat(podsOf("night-copy")).hasSize(1);
            assertThat(podsOf("it-batch")).hasSize(1);
        });
        change("night", "\"cancel\": true");
        eventually(() -> assertThat(told("night")).startsWith("False Cancelled"));
        eventually(() -> assertThat(podsOf("night-copy")).isEmpty());
        worked("it", "batch: false");
        eventually(() -> assertThat(podsOf("it-batch")).isEmpty());
    }

    @Test
    void a_job_of_a_new_attempt_begins_once_that_of_the_attempt_before_has_gone_with_its_pods() {
        worked("again", "batch: false");
        run("again", "again", "work");
        eventually(() -> {
            assertThat(podsOf("again-copy")).hasSize(1);
            assertThat(state("again", 1)).isEqualTo("Failed");
        });
        change("again", "\"attempt\": 2");
        eventually(() -> assertThat(podsOf("again-copy-2")).hasSize(1));
        assertThat(podsOf("again-copy")).isEmpty();
        eventually(() -> assertThat(state("again", 1)).isEqualTo("Failed"));
    }

    @Test
    void a_job_is_told_from_that_of_a_step_with_a_number_in_its_name() {
        worked("twice", "batch: false");
        run("twice", "twice", "retry");
        eventually(() -> assertThat(told("twice")).startsWith("False Failed copy: the Job 'twice-copy' has failed"));
        assertThat(state("twice", 1)).isEqualTo("Succeeded");
        change("twice", "\"attempt\": 2");
        eventually(() -> {
            assertThat(json("twice").at("/status/attempt").asInt()).isEqualTo(2);
            assertThat(json("twice").at("/status/completionTime").asText()).isNotEmpty();
        });
        assertThat(told("twice")).startsWith("False Failed copy: the Job 'twice-copy-again-2' has failed");
    }

    @Test
    void the_last_plan_begins_once_the_jobs_of_others_have_gone_with_their_pods() {
        cluster.write("apiVersion: busbar.io/v1\nkind: Hurried\nmetadata: {name: hurried, namespace: default}\n");
        eventually(() -> assertThat(podsOf("hurried-deploy-1-copy")).hasSize(1));
        var pod = cluster.object("v1", "Pod", podsOf("hurried-deploy-1-copy").get(0));
        BlueprintCluster.patch(pod, "{\"metadata\": {\"finalizers\": [\"example.com/stays\"]}}");
        var instance = cluster.object("busbar.io/v1", "Hurried", "hurried");
        instance.delete();
        eventually(() -> {
            assertThat(json("hurried-deploy-1")
                            .at("/metadata/deletionTimestamp")
                            .asText())
                    .as("the run is there until its Job has gone")
                    .isNotEmpty();
            assertThat(cluster.ready("busbar.io/v1", "Hurried", "hurried"))
                    .isEqualTo("False Waiting a run that is under way ends first");
        });
        assertThat(cluster.object("v1", "ConfigMap", "hurried-last").get()).isNull();
        BlueprintCluster.patch(pod, "{\"metadata\": {\"finalizers\": null}}");
        eventually(() -> assertThat(instance.get()).isNull());
        assertThat(cluster.object("v1", "ConfigMap", "hurried-last").get()).isNotNull();
    }

    @Test
    void a_run_about_an_instance_in_no_namespace_is_where_the_accounts_are_whatever_is_watched() {
        cluster.write("apiVersion: busbar.io/v1\nkind: Wide\nmetadata: {name: wide}\n");
        String run = """
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: wide, namespace: %s}
                spec: {plan: work, instance: {apiVersion: busbar.io/v1, kind: Wide, name: wide}}
                """;
        cluster.write(run.formatted("elsewhere"));
        cluster.write(run.formatted("default"));
        eventually(() -> assertThat(told("wide")).isEqualTo("True Succeeded all steps have succeeded"));
        assertThat(cluster.ready("batch/v1", "Job", "wide-copy")).startsWith("True");
        assertThat(BlueprintCluster.json(
                                cluster.object("blueprints.busbar.io/v1alpha1", "BlueprintRun", "elsewhere", "wide"))
                        .has("status"))
                .as("whether anybody has looked at the one elsewhere, which was there first")
                .isFalse();
        assertThat(cluster.object("batch/v1", "Job", "elsewhere", "wide-copy").get())
                .isNull();
    }

    private JsonNode json(String run) {
        return cluster.json("blueprints.busbar.io/v1alpha1", "BlueprintRun", run);
    }

    private String state(String run, int step) {
        return json(run).at("/status/steps/" + step + "/state").asText();
    }

    private void worked(String name, String spec) {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Worked
                metadata: {name: %s, namespace: default}
                spec: {%s}
                """.formatted(name, spec));
    }

    private void run(String name, String instance, String plan) {
        cluster.write("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: %s, namespace: default}
                spec: {plan: %s, instance: {apiVersion: busbar.io/v1, kind: Worked, name: %s}}
                """.formatted(name, plan, instance));
    }

    private void change(String run, String json) {
        BlueprintCluster.patch(
                cluster.object("blueprints.busbar.io/v1alpha1", "BlueprintRun", run), "{\"spec\": {" + json + "}}");
    }

    private String told(String run) {
        return cluster.ready("blueprints.busbar.io/v1alpha1", "BlueprintRun", run);
    }

    private List<String> podsOf(String job) {
        return cluster.client().pods().inNamespace("default").withLabel("job-name", job).list().getItems().stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }
}
