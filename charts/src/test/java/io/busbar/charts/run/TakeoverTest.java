package io.busbar.charts.run;

import static io.busbar.charts.run.SandboxedCharts.chart;
import static io.busbar.charts.run.SandboxedCharts.eventually;
import static io.busbar.charts.run.ShiftingInstance.API_VERSION;
import static io.busbar.charts.run.ShiftingInstance.HOOKS;
import static io.busbar.charts.run.ShiftingInstance.MAP;
import static io.busbar.charts.run.ShiftingInstance.ROLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.reconciler.write.ApiRequests;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that Helm has made, by its own command or in operator-sdk's operator, before this operator comes. */
class TakeoverTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

    private static final String LABELLED =
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: it, labels: {helm.sh/chart: %s}}\n";

    @AutoClose
    private final SandboxedCharts charts = SandboxedCharts.idle();

    private final ShiftingInstance it = new ShiftingInstance(charts);

    /**
     * As Helm does, under the name of operator-sdk's program.
     *
     * @param uid of the instance that owns it; empty for none
     */
    private void byHelm(String path, String yaml, String release, String uid) {
        GenericKubernetesResource object = Serialization.unmarshal(yaml, GenericKubernetesResource.class);
        object.getMetadata().getLabels().put("app.kubernetes.io/managed-by", "Helm");
        object.getMetadata()
                .getAnnotations()
                .putAll(Map.of("meta.helm.sh/release-name", release, "meta.helm.sh/release-namespace", "default"));
        if (!uid.isEmpty()) {
            object.getMetadata().setNamespace("default");
            object.getMetadata()
                    .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                            .withApiVersion(API_VERSION)
                            .withKind("Shifting")
                            .withName("it")
                            .withUid(uid)
                            .withController(true)
                            .build()));
        }
        new ApiRequests(charts.client()).create(path + "?fieldManager=helm-operator", object);
    }

    @Test
    void what_helm_has_made_is_taken_over_with_its_fields_and_without_the_hooks_of_an_installation(@TempDir Path folder)
            throws Exception {
        charts.run(chart(folder, MAP + "data: {a: new}\n---\n" + ROLE + HOOKS), () -> {
            it.write("");
            charts.client()
                    .genericKubernetesResources(API_VERSION, "Shifting")
                    .inNamespace("default")
                    .withName("it")
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\":{\"finalizers\":[\"helm.sdk.operatorframework.io/uninstall-release\"]}}");
            String uid = it.now().at("/metadata/uid").asText();
            byHelm(MAPS, MAP + "data: {a: old, dropped: long ago}\n", "it", uid);
            byHelm(ROLES, ROLE.replace("nodes", "pods"), "it", "");
        });
        it.applied("", 2);

        assertThat(it.get("ConfigMap").path("data")).hasToString("{\"a\":\"new\"}");
        assertThat(it.get("ConfigMap").at("/metadata/annotations").toString()).doesNotContain("meta.helm.sh");
        assertThat(it.role().at("/rules/0/resources/0").asText()).isEqualTo("nodes");
        assertThat(it.role().at("/metadata/managedFields").findValuesAsText("manager"))
                .containsOnly("shiftings.test.example.com");
        assertThat(it.now().at("/status/objects/0").asText())
                .isEqualTo("rbac.authorization.k8s.io/v1 ClusterRole /default-it");
        assertThat(it.now().at("/metadata/finalizers")).hasToString("[\"charts.busbar.io/finalizer\"]");
        for (String event : List.of("pre-install", "post-install", "pre-upgrade", "post-upgrade")) {
            assertThat(charts.get("v1", "ConfigMap", "it-" + event).isEmpty())
                    .as(event)
                    .isEqualTo(event.endsWith("install"));
        }
        it.delete();
        eventually(() -> assertThat(it.role().isEmpty()).isTrue());
    }

    @Test
    void what_helm_has_made_for_another_release_is_left_alone(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "---\n" + ROLE + HOOKS), () -> {
            it.write("");
            byHelm(ROLES, ROLE.replace("nodes", "pods"), "other", "");
        });

        eventually(() -> assertThat(it.ready()).startsWith("False NotOwned").contains("default-it"));
        assertThat(it.role().at("/rules/0/resources/0").asText()).isEqualTo("pods");
        assertThat(charts.get("v1", "ConfigMap", "it-pre-install").isEmpty()).isFalse();
    }

    @Test
    void what_helm_has_kept_of_a_release_that_is_gone_is_taken_over_by_an_installation(@TempDir Path folder)
            throws Exception {
        String kept = """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: kept
                  annotations: {helm.sh/resource-policy: keep}
                  labels: {helm.sh/chart: made-1.0.0}
                data: {a: "%s"}
                """;
        charts.run(chart(folder, MAP + "---\n" + kept.formatted("new") + HOOKS), () -> {
            it.write("");
            byHelm(MAPS, kept.formatted("old"), "it", "");
        });
        it.applied("", 1);

        assertThat(charts.get("v1", "ConfigMap", "kept").at("/data/a").asText()).isEqualTo("new");
        for (String event : List.of("pre-install", "post-install", "pre-upgrade", "post-upgrade")) {
            assertThat(charts.get("v1", "ConfigMap", "it-" + event).isEmpty())
                    .as(event)
                    .isEqualTo(event.endsWith("upgrade"));
        }
    }

    @Test
    void what_helm_has_made_of_another_chart_is_left_alone(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "data: {a: new}\n"), () -> {
            it.write("");
            byHelm(MAPS, LABELLED.formatted("made-up-1.0.0") + "data: {a: old}\n", "it", "");
        });

        eventually(() -> assertThat(it.ready()).startsWith("False NotOwned"));
        assertThat(it.get("ConfigMap").at("/data/a").asText()).isEqualTo("old");
    }

    @Test
    void what_the_command_has_made_of_the_chart_is_taken_over(@TempDir Path folder) throws Exception {
        charts.run(chart(folder, MAP + "data: {a: new}\n---\n" + ROLE), () -> {
            it.write("");
            byHelm(MAPS, LABELLED.formatted("made-0.9.0") + "data: {a: old}\n", "it", "");
            byHelm(ROLES, ROLE.replace("nodes", "pods"), "it", "");
        });
        it.applied("", 2);

        assertThat(it.get("ConfigMap").at("/data/a").asText()).isEqualTo("new");
        assertThat(it.get("ConfigMap").at("/metadata/ownerReferences/0/uid"))
                .isEqualTo(it.now().at("/metadata/uid"));
        assertThat(it.role().at("/rules/0/resources/0").asText()).isEqualTo("nodes");
    }

    @Test
    void what_the_former_operator_has_made_outside_of_the_namespace_is_taken_over(@TempDir Path folder)
            throws Exception {
        String annotated = ROLE.replace(
                "{name: default-it}",
                "{name: default-it, annotations: {operator-sdk/primary-resource: default/it,"
                        + " operator-sdk/primary-resource-type: Shifting.test.example.com}}");
        charts.run(chart(folder, ROLE), () -> {
            it.write("");
            byHelm(ROLES, annotated.replace("nodes", "pods"), "it", "");
        });
        it.applied("", 2);

        assertThat(it.role().at("/rules/0/resources/0").asText()).isEqualTo("nodes");
    }

    @Test
    void what_helm_makes_later_is_left_alone(@TempDir Path folder) throws Exception {
        String both = MAP + "{{- if .Values.role }}\n---\n" + ROLE + "{{- end }}\n";
        charts.run(chart(folder, both));
        it.applied("", 1);
        String labelled = ROLE.replace("{name: default-it}", "{name: default-it, labels: {helm.sh/chart: made-1.0.0}}");
        byHelm(ROLES, labelled.replace("nodes", "pods"), "it", "");
        it.write("role: true");

        eventually(() -> assertThat(it.ready()).startsWith("False NotOwned").contains("default-it"));
        assertThat(it.role().at("/rules/0/resources/0").asText()).isEqualTo("pods");
    }

    @Test
    void a_job_of_a_hook_that_helm_has_left_is_run_anew(@TempDir Path folder) throws Exception {
        String job = """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: it, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}
                spec:
                  template:
                    metadata: {annotations: {fake-kubelet/run-for: "0"}}
                    spec: {restartPolicy: Never, containers: [{name: a, image: %s}]}
                """;
        charts.run(chart(folder, MAP + "---\n" + job.formatted("new")), () -> {
            it.write("");
            String uid = it.now().at("/metadata/uid").asText();
            byHelm(MAPS, MAP, "it", uid);
            byHelm("/apis/batch/v1/namespaces/default/jobs", job.formatted("old"), "it", uid);
        });
        it.applied("", 2);

        assertThat(it.get("Job").at("/spec/template/spec/containers/0/image").asText())
                .isEqualTo("new");
    }
}
