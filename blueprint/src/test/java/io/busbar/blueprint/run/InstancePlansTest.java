package io.busbar.blueprint.run;

import static io.busbar.blueprint.run.BlueprintCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.sandbox.SandboxOptions;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Plans, whether somebody asks for them or they begin by themselves. */
@TestInstance(Lifecycle.PER_CLASS)
class InstancePlansTest {

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

    /** Its server has as many replicas as its plans have given it. */
    private static final String GROWN =
            Blueprints.with("""
                    spec:
                      members: integer | default=1
                      text: string | default=none
                    status:
                      members: ${server.spec.replicas}
                    """, """
                    - id: server
                      template:
                        apiVersion: apps/v1
                        kind: StatefulSet
                        metadata: {name: "${schema.metadata.name}"}
                        spec:
                          serviceName: ${schema.metadata.name}
                          selector: {matchLabels: {app: "${schema.metadata.name}"}}
                          template:
                            metadata: {labels: {app: "${schema.metadata.name}"}}
                            spec: {containers: [{name: server, image: "example/server:1"}]}
                    """).replace("kind: Test", "kind: Grown").replace("name: test", "name: grown") + """
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

    /** What its last plan is given is not there any more once that plan is under way. */
    private static final String LEAVER = Blueprints.with("", """
                    - id: server
                      template:
                        apiVersion: apps/v1
                        kind: StatefulSet
                        metadata: {name: "${schema.metadata.name}"}
                        spec:
                          serviceName: ${schema.metadata.name}
                          selector: {matchLabels: {app: "${schema.metadata.name}"}}
                          template:
                            metadata: {labels: {app: "${schema.metadata.name}"}}
                            spec: {containers: [{name: server, image: "example/server:1"}]}
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

    /** A run about it deletes something once it is told to go. */
    private static final String FORMER = Blueprints.with("", """
                    - id: words
                      externalRef:
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: "${schema.metadata.name}-words"}
                    """).replace("kind: Test", "kind: Former") + """
              plans:
                - name: delete
                  phases: &go
                    - name: all
                      steps:
                        - name: told
                          wait: ${words.data.text == 'go'}
                        - name: precious
                          delete: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-precious"}}
                - name: restore
                  phases: *go
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

    @AutoClose
    private final BlueprintCluster cluster =
            new BlueprintCluster(SandboxOptions.defaults().withRbac(true));

    @BeforeAll
    void run() throws Exception {
        cluster.run(
                Blueprints.named("planned", PLANNED),
                Blueprints.named("grown", GROWN),
                Blueprints.named("former", FORMER),
                Blueprints.named("bare", BARE),
                Blueprints.named("refreshed", REFRESHED),
                Blueprints.named("told-late", TOLD_LATE),
                Blueprints.named("ungiven", UNGIVEN),
                Blueprints.named("leaver", LEAVER));
    }

    @Test
    void a_step_waits_for_a_right_and_one_that_cannot_be_done_fails_with_the_reason() {
        ClusterRole role = BlueprintCluster.role(Blueprints.checked(PLANNED));
        cluster.allow(role, "planners", "secrets");
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Planned
                metadata: {name: one, namespace: default}
                spec: {divisor: 4}
                """);
        run("first", "one", "keep");
        eventually(
                () -> assertThat(told("first")).startsWith("False Running").contains("secrets \"one-a\" is forbidden"));
        cluster.allow(role, "planners", "");
        eventually(() -> assertThat(told("first")).isEqualTo("True Succeeded all steps have succeeded"));
        assertThat(cluster.client()
                        .secrets()
                        .inNamespace("default")
                        .withName("one-a")
                        .get())
                .satisfies(secret -> assertThat(BlueprintCluster.owners(secret)).containsExactly("Planned one"));

        run("second", "one", "miss");
        eventually(() ->
                assertThat(told("second")).isEqualTo("False Failed patched: the ConfigMap 'nobody' is not there"));
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
        run("third", "none", "keep");
        eventually(() -> assertThat(told("third"))
                .startsWith("False Failed secret: spec.plans[0].phases[0].steps[0].apply.stringData.share")
                .contains("division by zero"));
        run("fourth", "one", "restore");
        eventually(() ->
                assertThat(told("fourth")).isEqualTo("False Failed there is no plan 'restore'; allowed: keep, miss"));
        run("fifth", "nobody", "keep");
        eventually(() -> assertThat(told("fifth")).isEqualTo("False Running the Planned 'nobody' is not there"));
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: Planned
                metadata: {name: nobody, namespace: default}
                """);
        eventually(() -> assertThat(told("fifth")).isEqualTo("True Succeeded all steps have succeeded"));
    }

    private void run(String name, String instance, String plan) {
        run(name, "Planned", instance, plan);
    }

    private void run(String name, String kind, String instance, String plan) {
        cluster.write("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: %s, namespace: default}
                spec: {plan: %s, instance: {apiVersion: busbar.io/v1, kind: %s, name: %s}}
                """.formatted(name, plan, kind, instance));
    }

    @Test
    void what_other_steps_have_done_is_kept_where_one_is_refused() {
        ClusterRole role = BlueprintCluster.role(Blueprints.checked(REFRESHED));
        cluster.allow(role, "refreshers", "secrets");
        cluster.write("apiVersion: busbar.io/v1\nkind: Refreshed\nmetadata: {name: fresh, namespace: default}\n");
        run("refresh", "Refreshed", "fresh", "refresh");
        eventually(() -> {
            assertThat(told("refresh")).startsWith("False Running").contains("secrets \"fresh\" is forbidden");
            assertThat(states("refresh")).containsExactly("Succeeded", "Succeeded", "Pending", "Succeeded");
        });
        String made = uidOf("fresh-flag");
        cluster.allow(role, "refreshers", "");
        eventually(() -> assertThat(told("refresh")).startsWith("True Succeeded"));
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
        run("forget", "Refreshed", "kept", "forget");
        eventually(() -> assertThat(told("forget"))
                .isEqualTo("False Failed secret: it has taken longer than 1 s: the Secret 'kept' is not gone yet"));
    }

    private List<String> states(String run) {
        return cluster.json("blueprints.busbar.io/v1alpha1", "BlueprintRun", run)
                .at("/status/steps")
                .findValuesAsText("state");
    }

    private String uidOf(String map) {
        return cluster.json("v1", "ConfigMap", map).at("/metadata/uid").asText();
    }

    private String told(String run) {
        return cluster.ready("blueprints.busbar.io/v1alpha1", "BlueprintRun", run);
    }

    @Test
    void plans_begin_by_themselves_one_after_the_other_and_one_carries_out_the_deletion() {
        grown("tree", "members: 3");
        eventually(() -> assertThat(grown("tree")).isEqualTo("True Ready all resources are ready"));
        eventually(() -> assertThat(runs("tree")).containsExactly("tree-deploy-1", "tree-grow-2", "tree-grow-3"));
        eventually(() -> assertThat(grown("tree")).isEqualTo("True Ready all resources are ready"));
        assertThat(cluster.json("busbar.io/v1", "Grown", "tree")
                        .at("/status/members")
                        .asInt())
                .isEqualTo(3);
        assertThat(configMap("tree-deploy-1")).containsEntry("text", "none");

        grown("tree", "members: 4, text: other");
        eventually(() -> {
            assertThat(runs("tree")).endsWith("tree-grow-4", "tree-update-5", "tree-after-6");
            assertThat(configMap("tree-update-5")).containsEntry("text", "none").containsEntry("now", "other");
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
        assertThat(configMap(last)).containsEntry("now", "other");
        eventually(() -> assertThat(runs("tree")).isEmpty());
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
        eventually(() -> assertThat(runs("sick")).containsExactly("sick-deploy-1", "sick-update-2", "sick-update-3"));
        eventually(() -> assertThat(told("sick-update-3")).startsWith("False Failed"));
        assertThat(configMap("sick-update-3")).as("is the same again").containsEntry("text", "fine");
        grown("sick", "text: good, members: 2");
        eventually(() ->
                assertThat(runs("sick")).endsWith("sick-update-3", "sick-grow-4", "sick-update-5", "sick-after-6"));
        eventually(() -> assertThat(grown("sick")).isEqualTo("True Ready all resources are ready"));
        assertThat(configMap("sick-update-5")).containsEntry("text", "bad");
    }

    @Test
    void plans_of_an_instance_without_a_spec_begin_once() {
        String bare = "apiVersion: busbar.io/v1\nkind: Bare\nmetadata: {name: bare, namespace: default}\n";
        cluster.write(bare);
        eventually(() -> {
            assertThat(configMap("bare")).containsEntry("by", "bare-deploy-1");
            assertThat(cluster.ready("busbar.io/v1", "Bare", "bare")).isEqualTo("True Ready all resources are ready");
        });
        cluster.write(bare + "spec: {text: some}\n");
        eventually(() -> assertThat(configMap("bare")).containsEntry("by", "bare-update-2"));
        assertThat(runs("bare")).containsExactly("bare-deploy-1", "bare-update-2");
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
        eventually(() -> assertThat(configMap("twin")).containsEntry("by", "twin-update-3"));
        assertThat(runs("twin")).containsExactly("twin-deploy-1", "twin-deploy-2", "twin-update-3");
    }

    @Test
    void a_plan_begins_once_what_it_is_to_be_given_is_known() {
        toldLate("none");
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "ToldLate", "late"))
                .isEqualTo("False Waiting the parameter 'text' of the plan 'deploy' is not known yet:"
                        + " 'words.data.text' is not known yet: no such key: data"));
        BlueprintCluster.patch(cluster.object("v1", "ConfigMap", "late"), "{\"data\": {\"text\": \"a\"}}");
        eventually(() -> assertThat(configMap("late-deploy-1")).containsEntry("text", "a"));

        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "ToldLate", "late")).startsWith("True Ready"));
        BlueprintCluster.patch(cluster.object("v1", "ConfigMap", "late"), "{\"data\": null}");
        toldLate("other");
        eventually(() -> assertThat(cluster.ready("busbar.io/v1", "ToldLate", "late"))
                .isEqualTo("False Waiting the parameter 'text' of the plan 'update' is not known yet:"
                        + " 'words.data.text' is not known yet: no such key: data"));
        BlueprintCluster.patch(cluster.object("v1", "ConfigMap", "late"), "{\"data\": {\"text\": \"b\"}}");
        eventually(() -> assertThat(configMap("late-update-2")).containsEntry("text", "none-b"));
    }

    private void toldLate(String text) {
        cluster.write("""
                apiVersion: busbar.io/v1
                kind: ToldLate
                metadata: {name: late, namespace: default}
                spec: {text: %s}
                """.formatted(text));
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
        eventually(() -> assertThat(runs("leaver")).isEmpty());
    }

    @Test
    void an_instance_can_go_also_when_what_its_last_plan_is_to_be_given_is_never_known() {
        String told = leaveUngiven("given");
        assertThat(told).contains("with values for text takes its place").contains("'cancel: true'");
        cluster.write(lastRun("given", "parameters: {text: own}"));
        eventually(() -> assertThat(
                        cluster.object("busbar.io/v1", "Ungiven", "given").get())
                .isNull());
        assertThat(configMap("given-told")).containsEntry("text", "own");

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
        eventually(() -> assertThat(told(last)).startsWith("False Failed good: it has taken longer than 1 s"));
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
        assertThat(configMap("older-told")).containsEntry("text", "own");
    }

    @Test
    void a_run_without_a_plan_is_cancelled_that_has_failed() {
        run("planless", "Ungiven", "nobody", "restore");
        eventually(() -> assertThat(told("planless")).startsWith("False Failed there is no plan 'restore'"));
        BlueprintCluster.patch(
                cluster.object("blueprints.busbar.io/v1alpha1", "BlueprintRun", "planless"),
                "{\"spec\": {\"cancel\": true}}");
        eventually(() -> assertThat(told("planless")).isEqualTo("False Cancelled no further step begins"));
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

    @Test
    void a_run_about_an_instance_that_has_gone_does_nothing_to_one_of_the_same_name() {
        data("former-words", "stay");
        data("former-precious", "kept");
        String former = "apiVersion: busbar.io/v1\nkind: Former\nmetadata: {name: former, namespace: default}\n";
        cluster.write(former);
        var instance = cluster.object("busbar.io/v1", "Former", "former");
        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "Former", "former")).startsWith("True Ready"));
        String last = "former-delete-" + instance.get().getMetadata().getUid().substring(0, 8);
        cluster.write("""
                apiVersion: blueprints.busbar.io/v1alpha1
                kind: BlueprintRun
                metadata: {name: bring-back, namespace: default}
                spec: {plan: restore, instance: {apiVersion: busbar.io/v1, kind: Former, name: former}}
                """);
        instance.delete();
        eventually(() -> assertThat(List.of(told("bring-back"), told(last)))
                .allSatisfy(told -> assertThat(told).contains("does not hold yet")));
        BlueprintCluster.patch(instance, "{\"metadata\": {\"finalizers\": null}}");
        eventually(() -> assertThat(instance.get()).isNull());

        cluster.write(former);
        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "Former", "former")).startsWith("True Ready"));
        data("former-words", "go");
        eventually(() -> assertThat(List.of(told("bring-back"), told(last)))
                .allSatisfy(told ->
                        assertThat(told).startsWith("False Failed the Former 'former' that it is about has gone")));
        assertThat(configMap("former-precious")).containsEntry("text", "kept");
    }

    @Test
    void a_run_of_the_last_ones_name_that_is_about_another_kind_is_not_taken_for_it() {
        data("taken-words", "go");
        data("taken-precious", "kept");
        cluster.write("apiVersion: busbar.io/v1\nkind: Former\nmetadata: {name: taken, namespace: default}\n");
        eventually(() ->
                assertThat(cluster.ready("busbar.io/v1", "Former", "taken")).startsWith("True Ready"));
        var instance = cluster.object("busbar.io/v1", "Former", "taken");
        String last = "taken-delete-" + instance.get().getMetadata().getUid().substring(0, 8);
        run(last, "Another", "taken", "delete");
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

    @Test
    void a_run_fails_whose_instance_has_gone() {
        data("lone-words", "stay");
        cluster.write("apiVersion: busbar.io/v1\nkind: Former\nmetadata: {name: lone, namespace: default}\n");
        run("lone-restore", "Former", "lone", "restore");
        eventually(() -> assertThat(told("lone-restore")).contains("does not hold yet"));
        var instance = cluster.object("busbar.io/v1", "Former", "lone");
        instance.delete();
        BlueprintCluster.patch(instance, "{\"metadata\": {\"finalizers\": null}}");

        eventually(() ->
                assertThat(told("lone-restore")).isEqualTo("False Failed the Former 'lone' that it is about has gone"));
        assertThat(states("lone-restore")).containsExactly("Cancelled", "Pending");
    }

    private void data(String map, String text) {
        cluster.write("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: %s, namespace: default}
                data: {text: %s}
                """.formatted(map, text));
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

    /** The names of the runs about an instance, in the order in which they were made. */
    private List<String> runs(String instance) {
        return cluster
                .client()
                .genericKubernetesResources("blueprints.busbar.io/v1alpha1", "BlueprintRun")
                .inNamespace("default")
                .list()
                .getItems()
                .stream()
                .map(run -> run.getMetadata().getName())
                .filter(name -> name.startsWith(instance + "-"))
                .sorted(Comparator.comparing((String name) -> name.substring(name.lastIndexOf('-'))))
                .toList();
    }

    private Map<String, String> configMap(String name) {
        var map = cluster.client()
                .configMaps()
                .inNamespace("default")
                .withName(name)
                .get();
        assertThat(map).as(name).isNotNull();
        return map.getData();
    }
}
