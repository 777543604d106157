package io.busbar.charts.run;

import static io.busbar.charts.run.SandboxedCharts.chart;
import static io.busbar.charts.run.SandboxedCharts.eventually;
import static io.busbar.charts.run.ShiftingInstance.HOOKS;
import static io.busbar.charts.run.ShiftingInstance.MAP;
import static io.busbar.charts.run.ShiftingInstance.ROLE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a chart finds in the cluster by {@code lookup}, and what becomes of that and of hooks when it changes. */
class LookedUpTest {

    private static final String SECRET = """
            {{- if not (lookup "v1" "Secret" .Release.Namespace "it") }}
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: it}
            stringData: {password: "{{ randAlphaNum 20 }}"}
            {{- end }}
            """;

    @AutoClose
    private final SandboxedCharts charts = SandboxedCharts.idle();

    private final ShiftingInstance it = new ShiftingInstance(charts);

    @Test
    void what_is_made_where_lookup_does_not_find_it_stays_once_it_does(@TempDir Path folder) throws Exception {
        charts.run(chart(
                folder,
                MAP + "data: {a: \"{{ .Values.a }}\"}\n{{- if ne (print .Values.a) \"last\" }}" + SECRET
                        + "{{- end }}\n" + HOOKS));
        it.write("a: one");
        String kept = "True Ready all objects are ready; Secret it stays: the chart makes it only where lookup does not"
                + " find it";
        eventually(() -> assertThat(it.ready()).isEqualTo(kept));
        JsonNode made = it.get("Secret");
        assertThat(made.at("/data/password").asText()).isNotEmpty();
        it.write("a: two");
        eventually(() -> assertThat(it.get("ConfigMap").at("/data/a").asText()).isEqualTo("two"));
        eventually(() -> assertThat(it.ready()).isEqualTo(kept));
        charts.run(folder.resolve("watches.yaml"), () -> it.write("a: three"));
        eventually(() -> assertThat(it.get("ConfigMap").at("/data/a").asText()).isEqualTo("three"));
        eventually(() -> assertThat(it.ready()).isEqualTo(kept));

        assertThat(it.get("Secret").path("data")).isEqualTo(made.path("data"));
        assertThat(it.get("Secret").at("/metadata/uid")).isEqualTo(made.at("/metadata/uid"));
        assertThat(it.sent("DELETE .*/secrets/.*")).isZero();
        it.write("a: last");
        eventually(() -> assertThat(it.get("Secret").isEmpty()).isTrue());
    }

    @Test
    void what_is_in_no_namespace_stays_where_it_is_looked_up_in_one(@TempDir Path folder) throws Exception {
        String lookup =
                "{{- if not (lookup \"rbac.authorization.k8s.io/v1\" \"ClusterRole\" .Release.Namespace \"default-it\") }}\n";
        charts.run(chart(folder, MAP + "data: {a: \"{{ .Values.a }}\"}\n" + lookup + "---\n" + ROLE + "{{- end }}\n"));
        it.write("a: one");
        eventually(() -> assertThat(it.get("ConfigMap").at("/data/a").asText()).isEqualTo("one"));
        eventually(() -> assertThat(it.role().isEmpty()).isFalse());
        JsonNode uid = it.role().at("/metadata/uid");
        it.write("a: two");
        eventually(() -> assertThat(it.get("ConfigMap").at("/data/a").asText()).isEqualTo("two"));
        eventually(() -> assertThat(it.ready())
                .endsWith("; ClusterRole default-it stays: the chart makes it only where lookup does not find it"));

        assertThat(it.role().at("/metadata/uid")).isEqualTo(uid);
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
        charts.run(chart(folder, counts));
        it.write("a: one");
        eventually(
                () -> assertThat(it.get("ConfigMap").at("/data/seen").asText()).isEqualTo("1"));
        it.write("a: two");
        eventually(() ->
                assertThat(it.get("ConfigMap").path("data").toString()).isEqualTo("{\"seen\":\"2\",\"a\":\"two\"}"));
        eventually(() -> assertThat(it.ready()).startsWith("True Ready"));

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
        charts.run(chart(folder, looking));
        it.write("");
        eventually(() -> assertThat(it.get("Job").at("/status/ready").asInt()).isEqualTo(1));
        JsonNode uid = it.get("Job").at("/metadata/uid");
        it.write("unused: true");
        eventually(() ->
                assertThat(it.now().at("/status/observedGeneration").asInt()).isEqualTo(2));
        charts.write("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: theirs, namespace: default}
                data: {a: b}
                """);
        charts.run(folder.resolve("watches.yaml"), charts.reads()::clear);
        eventually(() -> assertThat(charts.reads()).anyMatch(read -> read.endsWith("/configmaps/theirs")));
        assertThat(it.now().at("/status/hooks/done").isMissingNode()).isTrue();
        charts.client()
                .pods()
                .inNamespace("default")
                .withLabel("job-name", "it")
                .resources()
                .forEach(pod -> pod.patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"fake-kubelet/run-for\":\"0\"}}}"));

        eventually(() ->
                assertThat(it.get("ConfigMap").at("/data/theirs").asText()).isEqualTo("{\"a\":\"b\"}"));
        assertThat(it.get("Job").at("/metadata/uid")).isEqualTo(uid);
    }

    /**
     * A chart with nothing but a Job before its installation.
     *
     * @param annotations of its Pod, one of which has it fail
     */
    private static String failingHook(String annotations) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: it, annotations: {helm.sh/hook: pre-install}}
                spec:
                  backoffLimit: 0
                  template:
                    metadata: {annotations: {fake-kubelet/run-for: "0", %s}}
                    spec: {restartPolicy: Never, containers: [{name: a, image: b}]}
                """.formatted(annotations.strip());
    }

    @Test
    void a_hook_that_has_failed_is_run_anew_when_what_the_chart_looks_up_has_changed(@TempDir Path folder)
            throws Exception {
        String failing = failingHook("""
                fake-kubelet/exit-code: "{{ if lookup "v1" "ConfigMap" .Release.Namespace "theirs" }}0{{ else }}1{{ end }}"
                """);
        charts.run(chart(folder, failing));
        it.write("");
        eventually(() -> assertThat(it.ready()).startsWith("False HookFailed"));
        charts.run(folder.resolve("watches.yaml"), () -> charts.write("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: theirs, namespace: default}
                data: {a: b}
                """));

        eventually(() -> assertThat(it.ready()).startsWith("True Ready"));
        assertThat(it.sent("POST .*/jobs")).isEqualTo(2);
    }

    @Test
    void a_hook_that_fails_and_changes_what_the_chart_looks_up_is_run_anew_once_a_minute(@TempDir Path folder)
            throws Exception {
        String failing = failingHook("""
                fake-kubelet/exit-code: "1", seen: {{ (lookup "v1" "ConfigMap" .Release.Namespace "theirs").data | toJson | quote }}
                """);
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
        charts.run(chart(folder, failing));
        it.write("");

        eventually(() -> assertThat(it.ready())
                .as("after %s runs", runs)
                .startsWith("False HookFailed hook pre-install, ")
                .endsWith("; what the chart looks up has changed since, and it is run anew within a minute"));
        assertThat(runs).hasValue(2);
        it.write("changed: true");
        eventually(() ->
                assertThat(runs).as("at once for other values, and once again").hasValue(4));
    }
}
