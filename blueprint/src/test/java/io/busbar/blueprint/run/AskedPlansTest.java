package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Plans that somebody asks for. */
@TestInstance(Lifecycle.PER_CLASS)
class AskedPlansTest {

    /** Its account may do what the printed role has, but not patch Secrets at first. */
    private static final String PLANNED = Blueprints.with("""
                    spec:
                      divisor: integer | default=1
                    """, """
                    - id: words
                      template:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}"}
                        data: {text: a}
                    """)
                    .replace("kind: Test", "kind: Planned")
                    .replace("name: test", "name: planned")
                    .replace("spec:\n  schema", "spec:\n  serviceAccountName: planners\n  schema")
            + """
              plans:
                - name: keep
                  phases:
                    - name: all
                      steps:
                        - name: secret
                          apply:
                            apiVersion: v1
                            kind: Secret
                            metadata: {name: "${schema.metadata.name}-${words.data.text}"}
                            stringData: {share: "${string(100 / schema.spec.divisor)}"}
                - name: miss
                  phases:
                    - name: all
                      strategy: parallel
                      steps:
                        - name: patched
                          patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: nobody}, data: {a: b}}
                        - name: never
                          wait: ${words.data.text == 'b'}
                          timeoutSeconds: 1
            """;

    /** Its account may not write Secrets at first. */
    private static final String REFRESHED = Blueprints.with("", """
                    - id: words
                      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}"}}
                    """)
                    .replace("kind: Test", "kind: Refreshed")
                    .replace("name: test", "name: refreshed")
                    .replace("spec:\n  schema", "spec:\n  serviceAccountName: refreshers\n  schema")
            + """
              plans:
                - name: refresh
                  phases:
                    - name: anew
                      steps:
                        - name: gone
                          delete: &flag
                            apiVersion: v1
                            kind: ConfigMap
                            metadata: {name: "${schema.metadata.name}-flag"}
                        - name: flag
                          apply: *flag
                    - name: at-once
                      strategy: parallel
                      steps:
                        - name: secret
                          apply: {apiVersion: v1, kind: Secret, metadata: {name: "${schema.metadata.name}"}}
                        - name: beside
                          apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-beside"}}
                - name: forget
                  phases:
                    - name: all
                      steps:
                        - name: secret
                          timeoutSeconds: 1
                          delete: {apiVersion: v1, kind: Secret, metadata: {name: "${schema.metadata.name}"}}
            """;

    @AutoClose
    private final BlueprintCluster cluster =
            new BlueprintCluster(SandboxOptions.defaults().withRbac(true));

    private final Runs runs = new Runs(cluster);

    @BeforeAll
    void run() throws Exception {
        // Without these rights its kinds are listed again and again, with a pause that grows.
        cluster.allow(BlueprintCluster.role(Blueprints.checked(PLANNED)), "planners", "secrets");
        cluster.allow(BlueprintCluster.role(Blueprints.checked(REFRESHED)), "refreshers", "secrets");
        cluster.run(
                Blueprints.named("planned", PLANNED),
                Blueprints.named("refreshed", REFRESHED),
                Blueprints.named("former", Runs.FORMER));
    }

    @Test
    void a_step_waits_for_a_right_and_one_that_cannot_be_done_fails_with_the_reason() {
        ClusterRole role = BlueprintCluster.role(Blueprints.checked(PLANNED));
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Planned
                metadata: {name: one, namespace: default}
                spec: {divisor: 4}
                """);
        runs.make("first", "Planned", "one", "keep");
        eventually(() ->
                assertThat(runs.told("first")).startsWith("False Running").contains("secrets \"one-a\" is forbidden"));
        cluster.allow(role, "planners", "");
        eventually(() -> assertThat(runs.told("first")).isEqualTo("True Succeeded all steps have succeeded"));
        assertThat(cluster.client()
                        .secrets()
                        .inNamespace("default")
                        .withName("one-a")
                        .get())
                .satisfies(secret -> assertThat(BlueprintCluster.owners(secret)).containsExactly("Planned one"));

        runs.make("second", "Planned", "one", "miss");
        eventually(() ->
                assertThat(runs.told("second")).isEqualTo("False Failed patched: the ConfigMap 'nobody' is not there"));
        assertThat(cluster.json("blueprints.busbar.io/v1alpha1", "BlueprintRun", "second")
                        .at("/status/steps/1/message")
                        .asText())
                .isEqualTo("it has taken longer than 1 s: 'words.data.text == 'b'' does not hold yet");

        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Planned
                metadata: {name: none, namespace: default}
                spec: {divisor: 0}
                """);
        runs.make("third", "Planned", "none", "keep");
        eventually(() -> assertThat(runs.told("third"))
                .startsWith("False Failed secret: spec.plans[0].phases[0].steps[0].apply.stringData.share")
                .contains("division by zero"));
        runs.make("fourth", "Planned", "one", "restore");
        eventually(() -> assertThat(runs.told("fourth"))
                .isEqualTo("False Failed there is no plan 'restore'; allowed: keep, miss"));
        runs.make("fifth", "Planned", "nobody", "keep");
        eventually(() -> assertThat(runs.told("fifth")).isEqualTo("False Running the Planned 'nobody' is not there"));
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Planned
                metadata: {name: nobody, namespace: default}
                """);
        eventually(() -> assertThat(runs.told("fifth")).isEqualTo("True Succeeded all steps have succeeded"));
    }

    @Test
    void what_other_steps_have_done_is_kept_where_one_is_refused() {
        ClusterRole role = BlueprintCluster.role(Blueprints.checked(REFRESHED));
        cluster.allow(role, "refreshers", "secrets");
        cluster.write("apiVersion: busbar.io/v1\nkind: Refreshed\nmetadata: {name: fresh, namespace: default}\n");
        runs.make("refresh", "Refreshed", "fresh", "refresh");
        eventually(() -> {
            assertThat(runs.told("refresh")).startsWith("False Running").contains("secrets \"fresh\" is forbidden");
            assertThat(runs.states("refresh")).containsExactly("Succeeded", "Succeeded", "Pending", "Succeeded");
        });
        String made = uidOf("fresh-flag");
        cluster.allow(role, "refreshers", "");
        eventually(() -> assertThat(runs.told("refresh")).startsWith("True Succeeded"));
        assertThat(uidOf("fresh-flag")).isEqualTo(made);
    }

    @Test
    void a_step_that_is_under_way_and_refused_ends_when_its_time_is_over() {
        ClusterRole role = BlueprintCluster.role(Blueprints.checked(REFRESHED));
        role.getRules().stream()
                .filter(rule -> rule.getResources().contains("secrets"))
                .forEach(rule -> rule.setVerbs(List.of("get", "patch")));
        cluster.allow(role, "refreshers", "");
        cluster.write("apiVersion: v1\nkind: Secret\nmetadata: {name: kept, namespace: default}\n");
        cluster.write("apiVersion: busbar.io/v1\nkind: Refreshed\nmetadata: {name: kept, namespace: default}\n");
        runs.make("forget", "Refreshed", "kept", "forget");
        eventually(() -> assertThat(runs.told("forget"))
                .isEqualTo("False Failed secret: it has taken longer than 1 s: the Secret 'kept' is not gone yet"));
    }

    private String uidOf(String map) {
        return cluster.json("v1", "ConfigMap", map).at("/metadata/uid").asText();
    }

    @Test
    void a_run_without_a_plan_is_cancelled_that_has_failed() {
        runs.make("planless", "Planned", "absent", "restore");
        eventually(() -> assertThat(runs.told("planless")).startsWith("False Failed there is no plan 'restore'"));
        BlueprintCluster.patch(
                cluster.object("blueprints.busbar.io/v1alpha1", "BlueprintRun", "planless"),
                "{\"spec\": {\"cancel\": true}}");
        eventually(() -> assertThat(runs.told("planless")).isEqualTo("False Cancelled no further step begins"));
    }

    @Test
    void a_run_about_an_instance_that_has_gone_does_nothing_to_one_of_the_same_name() {
        cluster.data("former-words", "stay");
        cluster.data("former-precious", "kept");
        String former = "apiVersion: busbar.io/v1\nkind: Former\nmetadata: {name: former, namespace: default}\n";
        cluster.write(former);
        var instance = cluster.object("busbar.io/v1", "Former", "former");
        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "Former", "former")).startsWith("True Ready"));
        String last = "former-delete-" + instance.get().getMetadata().getUid().substring(0, 8);
        runs.make("bring-back", "Former", "former", "restore");
        instance.delete();
        eventually(() -> assertThat(List.of(runs.told("bring-back"), runs.told(last)))
                .allSatisfy(told -> assertThat(told).contains("does not hold yet")));
        BlueprintCluster.patch(instance, "{\"metadata\": {\"finalizers\": null}}");
        eventually(() -> assertThat(instance.get()).isNull());

        cluster.write(former);
        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "Former", "former")).startsWith("True Ready"));
        cluster.data("former-words", "go");
        eventually(() -> assertThat(List.of(runs.told("bring-back"), runs.told(last)))
                .allSatisfy(told ->
                        assertThat(told).startsWith("False Failed the Former 'former' that it is about has gone")));
        assertThat(cluster.data("former-precious")).containsEntry("text", "kept");
    }

    @Test
    void a_run_fails_whose_instance_has_gone() {
        cluster.data("lone-words", "stay");
        cluster.write("apiVersion: busbar.io/v1\nkind: Former\nmetadata: {name: lone, namespace: default}\n");
        runs.make("lone-restore", "Former", "lone", "restore");
        eventually(() -> assertThat(runs.told("lone-restore")).contains("does not hold yet"));
        var instance = cluster.object("busbar.io/v1", "Former", "lone");
        instance.delete();
        BlueprintCluster.patch(instance, "{\"metadata\": {\"finalizers\": null}}");

        eventually(() -> assertThat(runs.told("lone-restore"))
                .isEqualTo("False Failed the Former 'lone' that it is about has gone"));
        assertThat(runs.states("lone-restore")).containsExactly("Cancelled", "Pending");
    }
}
