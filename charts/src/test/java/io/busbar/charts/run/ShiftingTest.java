package io.busbar.charts.run;

import static io.busbar.charts.run.SandboxedCharts.chart;
import static io.busbar.charts.run.SandboxedCharts.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.charts.ChartOperator;
import io.busbar.manifests.rbac.Permission;
import io.busbar.reconciler.write.ApiRequests;
import io.busbar.sandbox.faults.Fault;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What changes between two looks at an instance: its values, its objects, and who looks. */
class ShiftingTest {

    private static final String API_VERSION = "test.example.com/v1";

    private SandboxedCharts charts;

    @BeforeEach
    void start() throws Exception {
        charts = SandboxedCharts.start(SandboxedCharts.TESTED, Map.of());
    }

    @AfterEach
    void stop() throws Exception {
        charts.close();
    }

    private void write(String spec) {
        charts.write("""
                apiVersion: test.example.com/v1
                kind: Shifting
                metadata: {name: it, namespace: default}
                spec: {%s}
                """.formatted(spec));
    }

    private void applied(String spec, int release) {
        write(spec);
        eventually(() -> {
            assertThat(instance().at("/status/release").asInt())
                    .as("%s", instance().path("status"))
                    .isEqualTo(release);
            assertThat(instance().at("/status/observedGeneration").asLong())
                    .isEqualTo(instance().at("/metadata/generation").asLong());
        });
    }

    private JsonNode instance() {
        return charts.get(API_VERSION, "Shifting", "it");
    }

    private JsonNode get(String kind) {
        return charts.get(kind.equals("Job") ? "batch/v1" : "v1", kind, "it");
    }

    private long sent(String pattern) {
        return charts.writes().stream().filter(write -> write.matches(pattern)).count();
    }

    private String uidOfJob(String event) {
        return charts.get("batch/v1", "Job", "it-" + event).at("/metadata/uid").asText();
    }

    private void delete() {
        charts.client()
                .genericKubernetesResources(API_VERSION, "Shifting")
                .inNamespace("default")
                .withName("it")
                .delete();
        eventually(() -> assertThat(instance().isEmpty()).isTrue());
    }

    @Test
    void an_object_of_another_version_than_the_one_that_is_watched_stays() {
        applied("scaled: true", 1);
        applied("scaled: true, both: false", 2);
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it")).startsWith("True Ready"));

        assertThat(sent("DELETE .*/horizontalpodautoscalers/.*")).isZero();
        assertThat(charts.get("autoscaling/v2", "HorizontalPodAutoscaler", "it").isEmpty())
                .isFalse();
    }

    @Test
    void objects_stay_when_their_kinds_come_to_be_watched(@TempDir Path folder) throws Exception {
        charts.restart(blind(folder), () -> {});
        applied("", 1);
        JsonNode before = get("Secret").at("/metadata/uid");
        charts.restart(SandboxedCharts.TESTED, () -> {});
        applied("both: false", 2);

        assertThat(get("Secret").at("/metadata/uid")).isEqualTo(before);
        assertThat(sent("DELETE .*/(secrets|configmaps)/.*")).isZero();
    }

    @Test
    void what_somebody_else_has_made_under_a_noted_name_stays_when_its_kind_comes_to_be_watched(@TempDir Path folder)
            throws Exception {
        charts.restart(blind(folder), () -> {});
        applied("scaled: true", 1);
        charts.restart(SandboxedCharts.TESTED, () -> {
            charts.client()
                    .serviceAccounts()
                    .inNamespace("default")
                    .withName("it")
                    .delete();
            charts.write("""
                    apiVersion: v1
                    kind: ServiceAccount
                    metadata: {name: it, namespace: default}
                    """);
            write("scaled: false");
        });
        eventually(() -> assertThat(instance().at("/status/release").asInt()).isEqualTo(2));

        assertThat(get("ServiceAccount").isEmpty()).isFalse();
    }

    private static Path blind(Path folder) throws IOException {
        return Files.writeString(
                folder.resolve("watches.yaml"),
                "- {group: test.example.com, version: v1, kind: Shifting, watchDependentResources: false, chart: "
                        + SandboxedCharts.TESTED.resolveSibling("shifting").toAbsolutePath() + "}\n");
    }

    private static final String MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: it}\n";
    private static final String QUOTA =
            "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: it}\nspec: {hard: {pods: '3'}}\n";

    @Test
    void the_last_object_of_a_kind_goes_when_a_new_chart_has_none_of_it(@TempDir Path folder) throws Exception {
        charts.restart(chart(folder, MAP + "---\n" + QUOTA), () -> {});
        applied("", 1);
        charts.restart(chart(folder, MAP), () -> {});
        applied("", 2);

        assertThat(get("ResourceQuota").isEmpty()).isTrue();
        assertThat(get("ConfigMap").isEmpty()).isFalse();
        charts.reads().clear();
        write("changed: true");
        eventually(() ->
                assertThat(instance().at("/status/observedGeneration").asInt()).isEqualTo(2));
        assertThat(charts.reads()).noneMatch(read -> read.endsWith("/resourcequotas"));
    }

    @Test
    void what_the_operator_may_not_list_is_told_and_goes_once_it_may(@TempDir Path folder) throws Exception {
        charts.restart(chart(folder, MAP + "---\n" + QUOTA), () -> {});
        applied("", 1);
        charts.faults().inject(Fault.on("list", "resourcequotas").refused(403).untilRemoved());
        charts.restart(chart(folder, MAP), () -> {});
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .isEqualTo("True Ready all objects are ready; what the chart has made of v1 ResourceQuota, and makes no"
                        + " more, stays until the operator may list and delete it"));
        assertThat(get("ResourceQuota").isEmpty()).isFalse();

        charts.reads().clear();
        String uid = get("ConfigMap").at("/metadata/uid").asText();
        charts.client().configMaps().inNamespace("default").withName("it").delete();
        eventually(
                () -> assertThat(get("ConfigMap").at("/metadata/uid").asText()).isNotIn("", uid));
        charts.client().configMaps().inNamespace("default").withName("it").delete();
        eventually(() -> assertThat(sent("POST .*/configmaps")).isEqualTo(3));
        assertThat(charts.reads())
                .as("while neither the instance nor the time has changed much")
                .noneMatch(read -> read.endsWith("/resourcequotas"));

        charts.faults().clear().get(10, TimeUnit.SECONDS);
        write("changed: true");
        eventually(() -> assertThat(get("ResourceQuota").isEmpty()).isTrue());
        eventually(() ->
                assertThat(charts.ready(API_VERSION, "Shifting", "it")).isEqualTo("True Ready all objects are ready"));
    }

    private static final String HOOKS = """
            {{- range list "pre-install" "post-install" "pre-upgrade" "post-upgrade" }}
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: "it-{{ . }}", annotations: {helm.sh/hook: {{ . }}}}
            {{- end }}
            """;

    private static final String ROLE = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: default-it}
            rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
            """;

    /** As Helm does, under the name of operator-sdk's program. */
    private void byHelm(String path, String yaml, String release, String more) {
        GenericKubernetesResource object = Serialization.unmarshal(yaml, GenericKubernetesResource.class);
        object.getMetadata().getLabels().put("app.kubernetes.io/managed-by", "Helm");
        object.getMetadata()
                .getAnnotations()
                .putAll(Map.of("meta.helm.sh/release-name", release, "meta.helm.sh/release-namespace", "default"));
        if (!more.isEmpty()) {
            object.getMetadata().setNamespace("default");
            object.getMetadata()
                    .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                            .withApiVersion(API_VERSION)
                            .withKind("Shifting")
                            .withName("it")
                            .withUid(more)
                            .withController(true)
                            .build()));
        }
        new ApiRequests(charts.client()).create(path + "?fieldManager=helm-operator", object);
    }

    private JsonNode role() {
        return charts.client()
                .getKubernetesSerialization()
                .convertValue(
                        charts.client()
                                .rbac()
                                .clusterRoles()
                                .withName("default-it")
                                .get(),
                        JsonNode.class);
    }

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

    @Test
    void what_helm_has_made_is_taken_over_with_its_fields_and_without_the_hooks_of_an_installation(@TempDir Path folder)
            throws Exception {
        charts.restart(chart(folder, MAP + "data: {a: new}\n---\n" + ROLE + HOOKS), () -> {
            write("");
            charts.client()
                    .genericKubernetesResources(API_VERSION, "Shifting")
                    .inNamespace("default")
                    .withName("it")
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\":{\"finalizers\":[\"helm.sdk.operatorframework.io/uninstall-release\"]}}");
            String uid = instance().at("/metadata/uid").asText();
            byHelm(MAPS, MAP + "data: {a: old, dropped: long ago}\n", "it", uid);
            byHelm(ROLES, ROLE.replace("nodes", "pods"), "it", "");
        });
        applied("", 2);

        assertThat(get("ConfigMap").path("data")).hasToString("{\"a\":\"new\"}");
        assertThat(get("ConfigMap").at("/metadata/annotations").toString()).doesNotContain("meta.helm.sh");
        assertThat(role().at("/rules/0/resources/0").asText()).isEqualTo("nodes");
        assertThat(role().at("/metadata/managedFields").findValuesAsText("manager"))
                .containsOnly("shiftings.test.example.com");
        assertThat(instance().at("/status/objects/0").asText())
                .isEqualTo("rbac.authorization.k8s.io/v1 ClusterRole /default-it");
        assertThat(instance().at("/metadata/finalizers")).hasToString("[\"charts.busbar.io/finalizer\"]");
        for (String event : List.of("pre-install", "post-install", "pre-upgrade", "post-upgrade")) {
            assertThat(charts.get("v1", "ConfigMap", "it-" + event).isEmpty())
                    .as(event)
                    .isEqualTo(event.endsWith("install"));
        }
        delete();
        eventually(() -> assertThat(role().isEmpty()).isTrue());
    }

    @Test
    void what_helm_has_made_for_another_release_is_left_alone(@TempDir Path folder) throws Exception {
        charts.restart(chart(folder, MAP + "---\n" + ROLE + HOOKS), () -> {
            write("");
            byHelm(ROLES, ROLE.replace("nodes", "pods"), "other", "");
        });

        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .startsWith("False NotOwned")
                .contains("default-it"));
        assertThat(role().at("/rules/0/resources/0").asText()).isEqualTo("pods");
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
        charts.restart(chart(folder, MAP + "---\n" + kept.formatted("new") + HOOKS), () -> {
            write("");
            byHelm(MAPS, kept.formatted("old"), "it", "");
        });
        applied("", 1);

        assertThat(charts.get("v1", "ConfigMap", "kept").at("/data/a").asText()).isEqualTo("new");
        for (String event : List.of("pre-install", "post-install", "pre-upgrade", "post-upgrade")) {
            assertThat(charts.get("v1", "ConfigMap", "it-" + event).isEmpty())
                    .as(event)
                    .isEqualTo(event.endsWith("upgrade"));
        }
    }

    private static final String LABELLED =
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: it, labels: {helm.sh/chart: %s}}\n";

    @Test
    void what_helm_has_made_of_another_chart_is_left_alone(@TempDir Path folder) throws Exception {
        charts.restart(chart(folder, MAP + "data: {a: new}\n"), () -> {
            write("");
            byHelm(MAPS, LABELLED.formatted("made-up-1.0.0") + "data: {a: old}\n", "it", "");
        });

        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it")).startsWith("False NotOwned"));
        assertThat(get("ConfigMap").at("/data/a").asText()).isEqualTo("old");
    }

    @Test
    void what_the_command_has_made_of_the_chart_is_taken_over(@TempDir Path folder) throws Exception {
        charts.restart(chart(folder, MAP + "data: {a: new}\n---\n" + ROLE), () -> {
            write("");
            byHelm(MAPS, LABELLED.formatted("made-0.9.0") + "data: {a: old}\n", "it", "");
            byHelm(ROLES, ROLE.replace("nodes", "pods"), "it", "");
        });
        applied("", 2);

        assertThat(get("ConfigMap").at("/data/a").asText()).isEqualTo("new");
        assertThat(get("ConfigMap").at("/metadata/ownerReferences/0/uid"))
                .isEqualTo(instance().at("/metadata/uid"));
        assertThat(role().at("/rules/0/resources/0").asText()).isEqualTo("nodes");
    }

    @Test
    void what_the_former_operator_has_made_outside_of_the_namespace_is_taken_over(@TempDir Path folder)
            throws Exception {
        String annotated = ROLE.replace(
                "{name: default-it}",
                "{name: default-it, annotations: {operator-sdk/primary-resource: default/it,"
                        + " operator-sdk/primary-resource-type: Shifting.test.example.com}}");
        charts.restart(chart(folder, ROLE), () -> {
            write("");
            byHelm(ROLES, annotated.replace("nodes", "pods"), "it", "");
        });
        applied("", 2);

        assertThat(role().at("/rules/0/resources/0").asText()).isEqualTo("nodes");
    }

    @Test
    void what_helm_makes_later_is_left_alone(@TempDir Path folder) throws Exception {
        String both = MAP + "{{- if .Values.role }}\n---\n" + ROLE + "{{- end }}\n";
        charts.restart(chart(folder, both), () -> {});
        applied("", 1);
        String labelled = ROLE.replace("{name: default-it}", "{name: default-it, labels: {helm.sh/chart: made-1.0.0}}");
        byHelm(ROLES, labelled.replace("nodes", "pods"), "it", "");
        write("role: true");

        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .startsWith("False NotOwned")
                .contains("default-it"));
        assertThat(role().at("/rules/0/resources/0").asText()).isEqualTo("pods");
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
        charts.restart(chart(folder, MAP + "---\n" + job.formatted("new")), () -> {
            write("");
            String uid = instance().at("/metadata/uid").asText();
            byHelm(MAPS, MAP, "it", uid);
            byHelm("/apis/batch/v1/namespaces/default/jobs", job.formatted("old"), "it", uid);
        });
        applied("", 2);

        assertThat(get("Job").at("/spec/template/spec/containers/0/image").asText())
                .isEqualTo("new");
    }

    private static final String SECRET = """
            {{- if not (lookup "v1" "Secret" .Release.Namespace "it") }}
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: it}
            stringData: {password: "{{ randAlphaNum 20 }}"}
            {{- end }}
            """;

    @Test
    void what_is_made_where_lookup_does_not_find_it_stays_once_it_does(@TempDir Path folder) throws Exception {
        charts.restart(
                chart(
                        folder,
                        MAP + "data: {a: \"{{ .Values.a }}\"}\n{{- if ne (print .Values.a) \"last\" }}" + SECRET
                                + "{{- end }}\n" + HOOKS),
                () -> {});
        write("a: one");
        String kept = "True Ready all objects are ready; Secret it stays: the chart makes it only where lookup does not"
                + " find it";
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it")).isEqualTo(kept));
        JsonNode made = get("Secret");
        assertThat(made.at("/data/password").asText()).isNotEmpty();
        write("a: two");
        eventually(() -> assertThat(get("ConfigMap").at("/data/a").asText()).isEqualTo("two"));
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it")).isEqualTo(kept));
        charts.restart(folder.resolve("watches.yaml"), () -> write("a: three"));
        eventually(() -> assertThat(get("ConfigMap").at("/data/a").asText()).isEqualTo("three"));
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it")).isEqualTo(kept));

        assertThat(get("Secret").path("data")).isEqualTo(made.path("data"));
        assertThat(get("Secret").at("/metadata/uid")).isEqualTo(made.at("/metadata/uid"));
        assertThat(sent("DELETE .*/secrets/.*")).isZero();
        write("a: last");
        eventually(() -> assertThat(get("Secret").isEmpty()).isTrue());
    }

    @Test
    void what_is_in_no_namespace_stays_where_it_is_looked_up_in_one(@TempDir Path folder) throws Exception {
        String lookup =
                "{{- if not (lookup \"rbac.authorization.k8s.io/v1\" \"ClusterRole\" .Release.Namespace \"default-it\") }}\n";
        charts.restart(
                chart(folder, MAP + "data: {a: \"{{ .Values.a }}\"}\n" + lookup + "---\n" + ROLE + "{{- end }}\n"),
                () -> {});
        write("a: one");
        eventually(() -> assertThat(get("ConfigMap").at("/data/a").asText()).isEqualTo("one"));
        eventually(() -> assertThat(role().isEmpty()).isFalse());
        JsonNode uid = role().at("/metadata/uid");
        write("a: two");
        eventually(() -> assertThat(get("ConfigMap").at("/data/a").asText()).isEqualTo("two"));
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .endsWith("; ClusterRole default-it stays: the chart makes it only where lookup does not find it"));

        assertThat(role().at("/metadata/uid")).isEqualTo(uid);
    }

    @Test
    void a_hook_that_changes_what_the_chart_looks_up_runs_once(@TempDir Path folder) throws Exception {
        String counts = """
                {{- $seen := ((lookup "v1" "ConfigMap" .Release.Namespace "count").data | default dict).n | default "0" }}
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: it}
                data: {seen: {{ $seen | quote }}, a: "{{ .Values.a }}"}
                {{- range list "pre-install,pre-upgrade" "post-install,post-upgrade" }}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: count, annotations: {helm.sh/hook: "{{ . }}"}}
                data: {n: "{{ add 1 $seen }}"}
                {{- end }}
                """;
        charts.restart(chart(folder, counts), () -> {});
        write("a: one");
        eventually(() -> assertThat(get("ConfigMap").at("/data/seen").asText()).isEqualTo("1"));
        write("a: two");
        eventually(
                () -> assertThat(get("ConfigMap").path("data").toString()).isEqualTo("{\"seen\":\"2\",\"a\":\"two\"}"));
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it")).startsWith("True Ready"));

        assertThat(charts.get("v1", "ConfigMap", "count").at("/data/n").asText())
                .as("hooks would run before what they have changed is seen")
                .isEqualTo("2");
    }

    @Test
    void a_hook_runs_on_when_what_the_chart_looks_up_changes(@TempDir Path folder) throws Exception {
        String looking = """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: it}
                data: {theirs: {{ (lookup "v1" "ConfigMap" .Release.Namespace "theirs").data | toJson | quote }}}
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: it, annotations: {helm.sh/hook: pre-install}}
                spec:
                  template:
                    spec: {restartPolicy: Never, containers: [{name: a, image: b}]}
                """;
        charts.restart(chart(folder, looking), () -> {});
        write("");
        eventually(() -> assertThat(get("Job").at("/status/ready").asInt()).isEqualTo(1));
        JsonNode uid = get("Job").at("/metadata/uid");
        write("unused: true");
        eventually(() ->
                assertThat(instance().at("/status/observedGeneration").asInt()).isEqualTo(2));
        charts.write("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: theirs, namespace: default}
                data: {a: b}
                """);
        charts.restart(folder.resolve("watches.yaml"), charts.reads()::clear);
        eventually(() -> assertThat(charts.reads()).anyMatch(read -> read.endsWith("/configmaps/theirs")));
        assertThat(instance().at("/status/hooks/done").isMissingNode()).isTrue();
        charts.client()
                .pods()
                .inNamespace("default")
                .withLabel("job-name", "it")
                .resources()
                .forEach(pod -> pod.patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"fake-kubelet/run-for\":\"0\"}}}"));

        eventually(
                () -> assertThat(get("ConfigMap").at("/data/theirs").asText()).isEqualTo("{\"a\":\"b\"}"));
        assertThat(get("Job").at("/metadata/uid")).isEqualTo(uid);
    }

    private static final String CLUSTER_ROLES = "clusterroles.rbac.authorization.k8s.io";

    @Test
    void what_the_operator_may_not_get_any_more_is_told_and_goes_once_it_may(@TempDir Path folder) throws Exception {
        charts.restart(chart(folder, MAP + "---\n" + ROLE), () -> {});
        applied("", 1);
        charts.faults().inject(Fault.on("get", CLUSTER_ROLES).refused(403).untilRemoved());
        charts.restart(chart(folder, MAP), () -> {});
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .isEqualTo("True Ready all objects are ready; ClusterRole default-it, which the chart makes no more,"
                        + " stays until the operator may get and delete it"));
        assertThat(instance().at("/status/objects"))
                .hasToString("[\"rbac.authorization.k8s.io/v1 ClusterRole /default-it\"]");

        charts.faults().clear().get(10, TimeUnit.SECONDS);
        write("changed: true");
        eventually(() -> assertThat(role().isEmpty()).isTrue());
        eventually(() ->
                assertThat(charts.ready(API_VERSION, "Shifting", "it")).isEqualTo("True Ready all objects are ready"));
    }

    @Test
    void what_the_operator_may_list_and_not_delete_is_told_and_goes_once_it_may(@TempDir Path folder) throws Exception {
        charts.restart(chart(folder, MAP + "---\n" + QUOTA), () -> {});
        applied("", 1);
        charts.faults().inject(Fault.on("delete", "resourcequotas").refused(403).untilRemoved());
        charts.restart(chart(folder, MAP), () -> {});
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .contains("what the chart has made of v1 ResourceQuota"));

        charts.faults().clear().get(10, TimeUnit.SECONDS);
        write("changed: true");
        eventually(() -> assertThat(get("ResourceQuota").isEmpty()).isTrue());
    }

    @Test
    void an_instance_goes_without_what_the_operator_may_not_delete(@TempDir Path folder) throws Exception {
        charts.restart(chart(folder, MAP + "---\n" + ROLE), () -> {});
        applied("", 1);
        charts.faults().inject(Fault.on("delete", CLUSTER_ROLES).refused(403).untilRemoved());
        delete();

        assertThat(role().isEmpty()).isFalse();
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
        charts.restart(chart(folder, MAP + "---\n" + QUOTA), () -> {});
        applied("", 1);
        guard("", "resourcequotas");
        charts.restart(chart(folder, MAP), () -> {});
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .startsWith("False Refused")
                .endsWith("it is guarded"));

        unguard();
        eventually(() -> assertThat(get("ResourceQuota").isEmpty()).isTrue());
        eventually(() ->
                assertThat(charts.ready(API_VERSION, "Shifting", "it")).isEqualTo("True Ready all objects are ready"));
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

    private static final String TWO_ROLES = ROLE + "---\n" + ROLE.replace("default-it", "default-other");

    private GenericKubernetesResource otherRole() {
        return charts.client()
                .genericKubernetesResources("rbac.authorization.k8s.io/v1", "ClusterRole")
                .withName("default-other")
                .get();
    }

    @Test
    void what_a_policy_keeps_keeps_nothing_else(@TempDir Path folder) throws Exception {
        String quotas = QUOTA + "---\n" + QUOTA.replace("name: it", "name: other");
        charts.restart(chart(folder, MAP + "---\n" + TWO_ROLES + "---\n" + quotas), () -> {});
        applied("", 1);
        guardOne("rbac.authorization.k8s.io", "clusterroles", "default-it");
        charts.restart(chart(folder, MAP), () -> {});
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .startsWith("False Refused")
                .endsWith("it is guarded"));
        eventually(() -> assertThat(otherRole()).isNull());
        eventually(() -> assertThat(get("ResourceQuota").isEmpty()).isTrue());
        eventually(() -> assertThat(instance().at("/status/objects"))
                .hasToString("[\"rbac.authorization.k8s.io/v1 ClusterRole /default-it\"]"));

        unguard();
        eventually(() -> assertThat(role().isEmpty()).isTrue());
    }

    @Test
    void what_a_policy_keeps_of_an_instance_that_goes_keeps_nothing_else(@TempDir Path folder) throws Exception {
        charts.restart(chart(folder, MAP + "---\n" + TWO_ROLES), () -> {});
        applied("", 1);
        guardOne("rbac.authorization.k8s.io", "clusterroles", "default-it");
        charts.client()
                .genericKubernetesResources(API_VERSION, "Shifting")
                .inNamespace("default")
                .withName("it")
                .delete();
        eventually(() -> assertThat(otherRole()).isNull());
        assertThat(role().isEmpty()).isFalse();

        unguard();
        eventually(() -> assertThat(instance().isEmpty()).isTrue());
        assertThat(role().isEmpty()).isTrue();
    }

    @Test
    void an_instance_does_not_go_without_what_a_policy_keeps(@TempDir Path folder) throws Exception {
        charts.restart(chart(folder, MAP + "---\n" + ROLE), () -> {});
        applied("", 1);
        guard("rbac.authorization.k8s.io", "clusterroles");
        charts.client()
                .genericKubernetesResources(API_VERSION, "Shifting")
                .inNamespace("default")
                .withName("it")
                .delete();
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .startsWith("False Refused")
                .endsWith("it is guarded"));

        unguard();
        eventually(() -> assertThat(instance().isEmpty()).isTrue());
        assertThat(role().isEmpty()).isTrue();
    }

    @Test
    void a_hook_that_has_failed_is_run_anew_when_what_the_chart_looks_up_has_changed(@TempDir Path folder)
            throws Exception {
        String failing = """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: it, annotations: {helm.sh/hook: pre-install}}
                spec:
                  backoffLimit: 0
                  template:
                    metadata:
                      annotations:
                        fake-kubelet/run-for: "0"
                        fake-kubelet/exit-code: "{{ if not (lookup "v1" "ConfigMap" .Release.Namespace "theirs") }}1{{ else }}0{{ end }}"
                    spec: {restartPolicy: Never, containers: [{name: a, image: b}]}
                """;
        charts.restart(chart(folder, failing), () -> {});
        write("");
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it")).startsWith("False HookFailed"));
        charts.restart(folder.resolve("watches.yaml"), () -> charts.write("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: theirs, namespace: default}
                data: {a: b}
                """));

        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it")).startsWith("True Ready"));
        assertThat(sent("POST .*/jobs")).isEqualTo(2);
    }

    @Test
    void a_hook_that_fails_and_changes_what_the_chart_looks_up_is_run_anew_once_a_minute(@TempDir Path folder)
            throws Exception {
        String failing = """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: it, annotations: {helm.sh/hook: pre-install}}
                spec:
                  backoffLimit: 0
                  template:
                    metadata:
                      annotations:
                        seen: {{ (lookup "v1" "ConfigMap" .Release.Namespace "theirs").data | toJson | quote }}
                        fake-kubelet/run-for: "0"
                        fake-kubelet/exit-code: "1"
                    spec: {restartPolicy: Never, containers: [{name: a, image: b}]}
                """;
        AtomicInteger runs = new AtomicInteger();
        charts.meanwhile(write -> {
            if (write.matches("POST .*/jobs")) {
                charts.write("""
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: theirs, namespace: default}
                        data: {runs: "%d"}
                        """.formatted(runs.incrementAndGet()));
            }
        });
        charts.restart(chart(folder, failing), () -> {});
        write("");

        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .as("after %s runs", runs)
                .startsWith("False HookFailed hook pre-install, ")
                .endsWith("; what the chart looks up has changed since, and it is run anew within a minute"));
        assertThat(runs).hasValue(2);
        write("changed: true");
        eventually(() ->
                assertThat(runs).as("at once for other values, and once again").hasValue(4));
    }

    @Test
    void the_operator_may_bind_the_roles_that_a_chart_binds_and_does_not_make(@TempDir Path folder) throws Exception {
        String bindings = """
                {{- range $kind, $role := dict "ClusterRoleBinding" "default-it" "RoleBinding" "view" }}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: {{ $kind }}
                metadata: {name: it}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {{ $role }}}
                {{- end }}
                """;

        assertThat(ChartOperator.of(chart(folder, ROLE + bindings), Map.of()).declaration().parts().stream()
                        .flatMap(part -> part.permissions().stream())
                        .filter(permission -> permission.verbs().contains("bind")))
                .containsExactly(Permission.of("rbac.authorization.k8s.io", List.of("clusterroles"), "bind")
                        .named("view"));
    }

    @Test
    void what_is_taken_out_while_nobody_looks_is_taken_out_of_the_cluster() throws Exception {
        applied("", 1);
        assertThat(get("ConfigMap").at("/data/b").asText()).isEqualTo("two");
        charts.restart(SandboxedCharts.TESTED, () -> write("both: false"));

        eventually(() -> assertThat(get("ConfigMap").path("data")).hasToString("{\"a\":\"one\"}"));
    }

    @Test
    void what_is_to_be_kept_from_now_on_stays_when_the_instance_goes_and_can_be_taken_back() {
        applied("", 1);
        applied("keep: true", 2);
        assertThat(get("Secret").at("/metadata/ownerReferences").isMissingNode())
                .isTrue();
        applied("keep: false", 3);
        assertThat(get("Secret").at("/metadata/ownerReferences/0/uid"))
                .isEqualTo(instance().at("/metadata/uid"));

        applied("keep: true", 4);
        delete();
        assertThat(get("ConfigMap").isEmpty()).isTrue();
        assertThat(get("Secret").isEmpty()).isFalse();
    }

    @Test
    void hooks_of_a_deletion_run_once_whatever_the_chart_comes_to_once_its_objects_have_gone() {
        applied("", 1);
        long before = sent("POST .*/jobs");
        delete();

        assertThat(sent("POST .*/jobs") - before).as("pre-delete, post-delete").isEqualTo(2);
    }

    @Test
    void hooks_of_a_deletion_run_also_where_the_installation_was_never_done() {
        write("afterExitCode: '1'");
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .startsWith("False HookFailed hook post-install"));
        long before = sent("POST .*/jobs");
        delete();

        assertThat(sent("POST .*/jobs") - before).as("pre-delete, post-delete").isEqualTo(2);
    }

    @Test
    void hooks_run_again_for_a_revision_that_comes_back() {
        applied("", 1);
        applied("both: false", 2);
        String first = uidOfJob("pre-upgrade");
        applied("withoutHooks: true", 3);
        applied("both: false", 4);
        String second = uidOfJob("pre-upgrade");
        assertThat(second).isNotEqualTo(first);

        write("afterExitCode: '1'");
        eventually(() -> assertThat(charts.ready(API_VERSION, "Shifting", "it"))
                .startsWith("False HookFailed hook post-upgrade"));
        String third = uidOfJob("pre-upgrade");
        applied("both: false", 5);
        assertThat(uidOfJob("pre-upgrade")).isNotIn(first, second, third);
    }
}
