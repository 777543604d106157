package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus;
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus.State;
import io.busbar.blueprint.v1alpha1.BlueprintRunStatus.StepStatus;
import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.runtime.assembly.Installation;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Runs whose Jobs have gone on while no operator was there. */
@TestInstance(Lifecycle.PER_CLASS)
class ReturnedOperatorTest {

    private static final String API_VERSION = "blueprints.busbar.io/v1alpha1";
    private static final String LONG_AGO = "2020-01-01T00:00:00Z";

    private static final CheckedBlueprint BLUEPRINT =
            Blueprints.checked(Blueprints.with("", "").replace("kind: Test", "kind: Left") + """
              plans:
                - name: work
                  phases:
                    - name: all
                      steps:
                        - name: prepare
                          wait: ${true}
                        - name: copy
                          timeoutSeconds: 30
                          job: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}}}}
                        - name: stay
                          timeoutSeconds: 1
                          wait: ${schema.metadata.name == 'nobody'}
            """);

    @AutoClose
    private final BlueprintCluster cluster = new BlueprintCluster(SandboxOptions.defaults());

    @BeforeAll
    void leaveAlone() throws Exception {
        CrdGenerator.generate(List.of(BlueprintRun.class))
                .forEach(kind -> Installation.install(cluster.client(), kind));
        cluster.define(BLUEPRINT);
        cluster.write("apiVersion: busbar.io/v1\nkind: Left\nmetadata: {name: it, namespace: default}\n");
        leave("complete", "plan: work", true);
        leave("late", "plan: work", false);
        leave("cancelled", "plan: work, cancel: true", true);
        leave("renamed", "plan: former", false);
        cluster.run(BLUEPRINT);
    }

    /** A run whose first step is done, and whose second one runs a Job. */
    private void leave(String name, String spec, boolean completes) {
        cluster.write("""
                apiVersion: %s
                kind: BlueprintRun
                metadata: {name: %s, namespace: default}
                spec: {%s, instance: {apiVersion: busbar.io/v1, kind: Left, name: it}}
                """.formatted(API_VERSION, name, spec));
        cluster.write("""
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %1$s-copy
                  namespace: default
                  labels: {%2$s: copy}
                  ownerReferences: [{apiVersion: %3$s, kind: BlueprintRun, name: %1$s, uid: "%4$s", controller: true}]
                spec:
                  template:
                    metadata: {annotations: {%5$s}}
                    spec: {restartPolicy: Never, containers: [{name: a, image: "a:1"}]}
                """.formatted(
                        name,
                        StepJobs.JOB.name(),
                        API_VERSION,
                        cluster.json(API_VERSION, "BlueprintRun", name)
                                .at("/metadata/uid")
                                .asText(),
                        completes ? "fake-kubelet/exit-code: \"0\"" : ""));
        if (completes) {
            eventually(() ->
                    assertThat(cluster.ready("batch/v1", "Job", name + "-copy")).startsWith("True"));
        }
        String job = cluster.json("batch/v1", "Job", name + "-copy")
                .at("/metadata/uid")
                .asText();
        List<StepStatus> steps = List.of(step("prepare", State.Succeeded, null), step("copy", State.Running, job));
        String instance =
                cluster.json("busbar.io/v1", "Left", "it").at("/metadata/uid").asText();
        cluster.client()
                .resources(BlueprintRun.class)
                .inNamespace("default")
                .withName(name)
                .editStatus(run ->
                        run.with(new BlueprintRunStatus("Running", List.of(), 1, 1, LONG_AGO, null, steps, instance)));
    }

    private static StepStatus step(String name, State state, @Nullable String object) {
        return new StepStatus("all", name, state, LONG_AGO, null, object, null);
    }

    @Test
    void a_job_that_has_completed_meanwhile_is_not_too_late() {
        eventually(() -> assertThat(told("complete")).startsWith("False Failed stay"));
        assertThat(states("complete")).containsExactly("Succeeded", "Succeeded", "Failed");
    }

    @Test
    void a_job_that_still_runs_too_late_is_stopped() {
        eventually(() -> assertThat(told("late")).startsWith("False Failed copy: it has taken longer than 30 s"));
        eventually(() -> assertThat(job("late-copy")).isNull());
    }

    @Test
    void a_job_that_has_completed_before_its_run_was_cancelled_has_succeeded() {
        eventually(() -> assertThat(told("cancelled")).startsWith("False Cancelled"));
        assertThat(states("cancelled")).containsExactly("Succeeded", "Succeeded", "Pending");
    }

    @Test
    void a_run_whose_plan_has_gone_keeps_what_it_has_done_and_stops_its_job() {
        eventually(
                () -> assertThat(told("renamed")).isEqualTo("False Failed there is no plan 'former'; allowed: work"));
        assertThat(states("renamed")).containsExactly("Succeeded", "Cancelled");
        eventually(() -> assertThat(job("renamed-copy")).isNull());
    }

    private String told(String run) {
        return cluster.ready(API_VERSION, "BlueprintRun", run);
    }

    private List<String> states(String run) {
        return cluster.json(API_VERSION, "BlueprintRun", run)
                .at("/status/steps")
                .findValuesAsText("state");
    }

    private @Nullable Job job(String name) {
        return cluster.client()
                .batch()
                .v1()
                .jobs()
                .inNamespace("default")
                .withName(name)
                .get();
    }
}
