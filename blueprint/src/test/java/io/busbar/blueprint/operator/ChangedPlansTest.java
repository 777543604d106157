package io.busbar.blueprint.operator;

import static io.busbar.blueprint.operator.BundleCluster.API_VERSION;
import static io.busbar.blueprint.operator.BundleCluster.CONFIG_MAP;
import static io.busbar.blueprint.operator.BundleCluster.blueprint;
import static io.busbar.blueprint.operator.BundleCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.faults.Fault;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Runs that are under way, or were, when the plans of their Blueprint change. */
@TestInstance(Lifecycle.PER_CLASS)
class ChangedPlansTest {

    @AutoClose
    private final BundleCluster cluster = new BundleCluster();

    @BeforeAll
    void run() throws Exception {
        cluster.start();
    }

    @Test
    void an_instance_goes_when_the_plan_that_it_waits_for_is_taken_out_of_its_blueprint() throws Exception {
        cluster.write(blueprint("Clinger", CONFIG_MAP) + """
                  plans:
                    - name: delete
                      phases: [{name: all, steps: [{name: never, wait: "${schema.spec.text == 'other'}"}]}]
                """);
        eventually(() -> assertThat(cluster.ready("clinger")).startsWith("True Running"));
        cluster.instance("Clinger", "clings", "here");
        eventually(() -> assertThat(cluster.map("clings")).isEqualTo("here"));
        var one = cluster.client()
                .genericKubernetesResources("test.example.com/v1", "Clinger")
                .inNamespace("default")
                .withName("clings");
        one.delete();
        eventually(() -> assertThat(String.valueOf(one.require().<Object>get("status", "conditions")))
                .contains("of the plan 'delete' is under way"));

        cluster.write(blueprint("Clinger", CONFIG_MAP));
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
        cluster.write(planned);
        eventually(() -> assertThat(cluster.ready("mindful")).startsWith("True Running"));
        cluster.instance("Mindful", "mindful", "one");
        eventually(() -> assertThat(cluster.map("mindful-marked")).isEqualTo("one by mindful-mark-1"));
        eventually(() -> assertThat(cluster.told("Mindful", "mindful")).startsWith("True Ready"));

        cluster.write(blueprint("Mindful", CONFIG_MAP));
        cluster.awaitRunning("mindful");
        eventually(() -> assertThat(cluster.instance("Mindful", "mindful").<Object>get("status", "plans"))
                .isNull());
        cluster.instance("Mindful", "mindful", "two");
        eventually(() -> assertThat(cluster.map("mindful")).isEqualTo("two"));
        cluster.write(planned);
        eventually(() -> assertThat(cluster.map("mindful-marked")).isEqualTo("two by mindful-mark-2"));
    }

    @Test
    void runs_end_with_their_jobs_when_their_blueprint_loses_all_its_plans() {
        cluster.write(blueprint("Bereft", CONFIG_MAP) + """
                  plans:
                    - name: work
                      phases:
                        - name: all
                          steps:
                            - name: copy
                              job: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}
                """);
        eventually(() -> assertThat(cluster.ready("bereft")).startsWith("True Running"));
        cluster.instance("Bereft", "bereft", "one");
        Resource<GenericKubernetesResource> run = runOf("Bereft", "bereft");
        var job = cluster.client().batch().v1().jobs().inNamespace("default").withName("bereft-copy");
        eventually(() -> assertThat(job.get()).isNotNull());

        cluster.write(blueprint("Bereft", CONFIG_MAP));
        eventually(() -> assertThat(cluster.condition(run.require()))
                .isEqualTo("False Failed there is no plan 'work'; allowed: none, as its Blueprint has no plans"));
        eventually(() -> assertThat(job.get()).isNull());
        assertThat(String.valueOf(run.require().<Object>get("status", "steps"))).contains("state=Cancelled");
        eventually(() -> assertThat(cluster.ready("bereft")).startsWith("True Running"));
    }

    @Test
    void a_blueprint_says_which_right_its_account_lacks_to_end_the_runs_of_plans_that_it_has_no_more() {
        cluster.write(blueprint("Left", CONFIG_MAP) + """
                  plans:
                    - name: work
                      phases: [{name: all, steps: [{name: never, wait: "${schema.spec.text == 'other'}"}]}]
                """);
        eventually(() -> assertThat(cluster.ready("left")).startsWith("True Running"));
        cluster.instance("Left", "left", "one");
        Resource<GenericKubernetesResource> run = runOf("Left", "left");
        eventually(() -> assertThat(cluster.condition(run.require())).startsWith("False Running never: "));

        var refusal = cluster.faults()
                .inject(Fault.on("patch", "blueprintruns.blueprints.busbar.io/status")
                        .named("left")
                        .refused(403)
                        .untilRemoved());
        cluster.write(blueprint("Left", CONFIG_MAP));
        eventually(() -> assertThat(cluster.ready("left"))
                .startsWith("True Running instances are reconciled as ")
                .contains("; there are runs of plans that it has no more: "));
        refusal.remove();
        cluster.write(blueprint("Left", CONFIG_MAP.replace("${schema.spec.text}", "new")));
        eventually(() -> assertThat(cluster.ready("left"))
                .startsWith("True Running instances are reconciled as ")
                .doesNotContain("it has no more"));
        assertThat(cluster.condition(run.require())).startsWith("False Failed there is no plan 'work'");
    }

    /** Begins the plan 'work' of an instance, by a run of the same name. */
    private Resource<GenericKubernetesResource> runOf(String kind, String instance) {
        cluster.write("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: %2$s, namespace: default}
                spec: {plan: work, instance: {apiVersion: test.example.com/v1, kind: %1$s, name: %2$s}}
                """.formatted(kind, instance));
        return cluster.client()
                .genericKubernetesResources(API_VERSION, "BlueprintRun")
                .inNamespace("default")
                .withName(instance);
    }
}
