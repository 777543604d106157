package io.busbar.charts.run;

import static io.busbar.charts.run.SandboxedCharts.chart;
import static io.busbar.charts.run.SandboxedCharts.eventually;
import static io.busbar.charts.run.ShiftingInstance.MAP;
import static io.busbar.charts.run.ShiftingInstance.QUOTA;
import static io.busbar.charts.run.ShiftingInstance.ROLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.faults.Fault;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that the operator may not delete, for want of a right or by a policy. */
class RefusedDeletionTest {

    private static final String CLUSTER_ROLES = "clusterroles.rbac.authorization.k8s.io";

    @AutoClose
    private final SandboxedCharts charts = SandboxedCharts.idle();

    private final ShiftingInstance it = new ShiftingInstance(charts);

    @Test
    void what_the_operator_may_not_list_is_told_and_goes_once_it_may(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "---\n" + QUOTA));
        it.applied("", 1);
        charts.faults().inject(Fault.on("list", "resourcequotas").refused(403).untilRemoved());
        charts.run(chart(folder, MAP));
        eventually(() -> assertThat(it.ready())
                .isEqualTo("True Ready all objects are ready; what the chart has made of v1 ResourceQuota, and makes no"
                        + " more, stays until the operator may list and delete it"));
        assertThat(it.get("ResourceQuota").isEmpty()).isFalse();

        charts.reads().clear();
        String uid = it.get("ConfigMap").at("/metadata/uid").asText();
        charts.client().configMaps().inNamespace("default").withName("it").delete();
        eventually(() ->
                assertThat(it.get("ConfigMap").at("/metadata/uid").asText()).isNotIn("", uid));
        charts.client().configMaps().inNamespace("default").withName("it").delete();
        eventually(() -> assertThat(it.sent("POST .*/configmaps")).isEqualTo(3));
        assertThat(charts.reads())
                .as("while neither the instance nor the time has changed much")
                .noneMatch(read -> read.endsWith("/resourcequotas"));

        charts.faults().clear().get(10, TimeUnit.SECONDS);
        it.write("changed: true");
        eventually(() -> assertThat(it.get("ResourceQuota").isEmpty()).isTrue());
        eventually(() -> assertThat(it.ready()).isEqualTo("True Ready all objects are ready"));
    }

    @Test
    void what_the_operator_may_not_get_any_more_is_told_and_goes_once_it_may(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "---\n" + ROLE));
        it.applied("", 1);
        charts.faults().inject(Fault.on("get", CLUSTER_ROLES).refused(403).untilRemoved());
        charts.run(chart(folder, MAP));
        eventually(() -> assertThat(it.ready())
                .isEqualTo("True Ready all objects are ready; ClusterRole default-it, which the chart makes no more,"
                        + " stays until the operator may get and delete it"));
        assertThat(it.now().at("/status/objects"))
                .hasToString("[\"rbac.authorization.k8s.io/v1 ClusterRole /default-it\"]");

        charts.faults().clear().get(10, TimeUnit.SECONDS);
        it.write("changed: true");
        eventually(() -> assertThat(it.role().isEmpty()).isTrue());
        eventually(() -> assertThat(it.ready()).isEqualTo("True Ready all objects are ready"));
    }

    @Test
    void what_the_operator_may_list_and_not_delete_is_told_and_goes_once_it_may(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "---\n" + QUOTA));
        it.applied("", 1);
        charts.faults().inject(Fault.on("delete", "resourcequotas").refused(403).untilRemoved());
        charts.run(chart(folder, MAP));
        eventually(() -> assertThat(it.ready()).contains("what the chart has made of v1 ResourceQuota"));

        charts.faults().clear().get(10, TimeUnit.SECONDS);
        it.write("changed: true");
        eventually(() -> assertThat(it.get("ResourceQuota").isEmpty()).isTrue());
    }

    @Test
    void an_instance_goes_without_what_the_operator_may_not_delete(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "---\n" + ROLE));
        it.applied("", 1);
        charts.faults().inject(Fault.on("delete", CLUSTER_ROLES).refused(403).untilRemoved());
        it.delete();

        assertThat(it.role().isEmpty()).isFalse();
    }

    private static final String TWO_ROLES = ROLE + "---\n" + ROLE.replace("default-it", "default-other");

    private GenericKubernetesResource otherRole() {
        return charts.client()
                .genericKubernetesResources("rbac.authorization.k8s.io/v1", "ClusterRole")
                .withName("default-other")
                .get();
    }

    /** Nothing of a resource may be deleted, whoever wants to. */
    private void guard(String group, String resource) {
        charts.write("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: guard}
                spec:
                  matchConstraints:
                    resourceRules: [{apiGroups: ["%s"], apiVersions: [v1], operations: [DELETE], resources: [%s]}]
                  validations: [{expression: "false", reason: Forbidden, message: it is guarded}]
                """.formatted(group, resource));
        charts.write("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: guard}
                spec: {policyName: guard, validationActions: [Deny]}
                """);
    }

    /** With its names, as a policy asks for them. */
    private void guardOne(String group, String resource, String name) {
        guard(group, resource);
        charts.client()
                .admissionRegistration()
                .v1()
                .validatingAdmissionPolicies()
                .withName("guard")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"validations\":[{\"expression\":\"oldObject.metadata.name != '" + name
                                + "'\",\"reason\":\"Forbidden\",\"message\":\"it is guarded\"}]}}");
    }

    private void unguard() {
        charts.client()
                .admissionRegistration()
                .v1()
                .validatingAdmissionPolicyBindings()
                .withName("guard")
                .delete();
    }

    @Test
    void what_a_policy_keeps_is_refused_and_no_lack_of_a_right(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "---\n" + QUOTA));
        it.applied("", 1);
        guard("", "resourcequotas");
        charts.run(chart(folder, MAP));
        eventually(() -> assertThat(it.ready()).startsWith("False Refused").endsWith("it is guarded"));

        unguard();
        eventually(() -> assertThat(it.get("ResourceQuota").isEmpty()).isTrue());
        eventually(() -> assertThat(it.ready()).isEqualTo("True Ready all objects are ready"));
    }

    @Test
    void what_a_policy_keeps_keeps_nothing_else(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "---\n" + TWO_ROLES + "---\n" + QUOTA));
        it.applied("", 1);
        guardOne("rbac.authorization.k8s.io", "clusterroles", "default-it");
        charts.run(chart(folder, MAP));
        eventually(() -> assertThat(it.ready()).startsWith("False Refused").endsWith("it is guarded"));
        eventually(() -> assertThat(otherRole()).isNull());
        eventually(() -> assertThat(it.get("ResourceQuota").isEmpty()).isTrue());
        eventually(() -> assertThat(it.now().at("/status/objects"))
                .hasToString("[\"rbac.authorization.k8s.io/v1 ClusterRole /default-it\"]"));

        unguard();
        eventually(() -> assertThat(it.role().isEmpty()).isTrue());
    }

    @Test
    void what_a_policy_keeps_of_what_an_instance_owns_keeps_nothing_else(@TempDir Path folder) throws Exception {
        String quotas = QUOTA + "---\n" + QUOTA.replace("name: it", "name: other");
        charts.run(chart(folder, MAP + "---\n" + quotas));
        it.applied("", 1);
        guardOne("", "resourcequotas", "it");
        charts.run(chart(folder, MAP));
        eventually(() -> assertThat(it.ready()).startsWith("False Refused").endsWith("it is guarded"));
        eventually(() ->
                assertThat(charts.get("v1", "ResourceQuota", "other").isEmpty()).isTrue());
        assertThat(it.get("ResourceQuota").isEmpty()).isFalse();

        unguard();
        eventually(() -> assertThat(it.get("ResourceQuota").isEmpty()).isTrue());
    }

    @Test
    void hooks_after_a_deletion_wait_for_what_a_policy_keeps_and_nothing_else_does(@TempDir Path folder)
            throws Exception {
        String hook = """
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: it, annotations: {helm.sh/hook: post-delete}}
                spec:
                  template:
                    metadata: {annotations: {fake-kubelet/run-for: "0"}}
                    spec: {restartPolicy: Never, containers: [{name: a, image: b}]}
                """;
        charts.run(chart(folder, MAP + "---\n" + MAP.replace("name: it", "name: other") + hook));
        it.applied("", 1);
        guardOne("", "configmaps", "it");
        it.beginDeletion();
        eventually(() -> assertThat(it.ready()).startsWith("False Refused").endsWith("it is guarded"));
        eventually(() ->
                assertThat(charts.get("v1", "ConfigMap", "other").isEmpty()).isTrue());
        long tries = it.sent("DELETE .*/configmaps/it");
        eventually(() ->
                assertThat(it.sent("DELETE .*/configmaps/it")).as("tried again").isGreaterThan(tries));
        assertThat(it.sent("POST .*/jobs")).isZero();

        unguard();
        eventually(() -> assertThat(it.now().isEmpty()).isTrue());
        assertThat(it.get("ConfigMap").isEmpty()).isTrue();
        assertThat(it.sent("POST .*/jobs")).isEqualTo(1);
    }

    @Test
    void what_a_policy_keeps_of_an_instance_that_goes_keeps_nothing_else(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "---\n" + TWO_ROLES));
        it.applied("", 1);
        guardOne("rbac.authorization.k8s.io", "clusterroles", "default-it");
        it.beginDeletion();
        eventually(() -> assertThat(otherRole()).isNull());
        assertThat(it.role().isEmpty()).isFalse();

        unguard();
        eventually(() -> assertThat(it.now().isEmpty()).isTrue());
        assertThat(it.role().isEmpty()).isTrue();
    }

    @Test
    void an_instance_does_not_go_without_what_a_policy_keeps(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "---\n" + ROLE));
        it.applied("", 1);
        guard("rbac.authorization.k8s.io", "clusterroles");
        it.beginDeletion();
        eventually(() -> assertThat(it.ready()).startsWith("False Refused").endsWith("it is guarded"));

        unguard();
        eventually(() -> assertThat(it.now().isEmpty()).isTrue());
        assertThat(it.role().isEmpty()).isTrue();
    }
}
