package io.busbar.charts.run;

import static io.busbar.charts.run.SandboxedCharts.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

/** An instance {@code it} of the kind Shifting, what its charts are made of, and what a user does. One thread. */
final class ShiftingInstance {

    static final String API_VERSION = "test.example.com/v1";
    static final String MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: it}\n";
    static final String QUOTA =
            "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: it}\nspec: {hard: {pods: '3'}}\n";

    static final String ROLE = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: default-it}
            rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
            """;

    /** Each is there once it has run. */
    static final String HOOKS = """
            {{- range list "pre-install" "post-install" "pre-upgrade" "post-upgrade" }}
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: "it-{{ . }}", annotations: {helm.sh/hook: {{ . }}}}
            {{- end }}
            """;

    private final SandboxedCharts charts;

    ShiftingInstance(SandboxedCharts charts) {
        this.charts = charts;
    }

    void write(String spec) {
        charts.write("""
                apiVersion: test.example.com/v1
                kind: Shifting
                metadata: {name: it, namespace: default}
                spec: {%s}
                """.formatted(spec));
    }

    /** The same, and waits until that release of the chart is there. */
    void applied(String spec, int release) {
        write(spec);
        eventually(() -> {
            assertThat(now().at("/status/release").asInt())
                    .as("%s", now().path("status"))
                    .isEqualTo(release);
            assertThat(now().at("/status/observedGeneration").asLong())
                    .isEqualTo(now().at("/metadata/generation").asLong());
        });
    }

    JsonNode now() {
        return charts.get(API_VERSION, "Shifting", "it");
    }

    /** Status, reason and message of its condition. */
    String ready() {
        return charts.ready(API_VERSION, "Shifting", "it");
    }

    /** The object of a kind that has its name. */
    JsonNode get(String kind) {
        return charts.get(kind.equals("Job") ? "batch/v1" : "v1", kind, "it");
    }

    /** The ClusterRole of a chart, which is in no namespace. */
    JsonNode role() {
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

    /** How many of the operator's writes are like that. */
    long sent(String pattern) {
        return charts.writes().stream().filter(write -> write.matches(pattern)).count();
    }

    void beginDeletion() {
        charts.client()
                .genericKubernetesResources(API_VERSION, "Shifting")
                .inNamespace("default")
                .withName("it")
                .delete();
    }

    /** Ends once it has gone. */
    void delete() {
        beginDeletion();
        eventually(() -> assertThat(now().isEmpty()).isTrue());
    }
}
