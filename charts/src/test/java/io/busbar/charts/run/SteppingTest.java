package io.busbar.charts.run;

import static io.busbar.charts.run.SandboxedCharts.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.faults.Fault;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hooks that take their time, objects that are never ready, and ends that something is in the way of. */
class SteppingTest {

    private static final String API_VERSION = "test.example.com/v1";

    private SandboxedCharts charts;
    private int others;

    @BeforeEach
    void start() throws Exception {
        charts = SandboxedCharts.startTested();
    }

    @AfterEach
    void stop() throws Exception {
        charts.close();
    }

    private void write(String kind, String name, String spec) {
        charts.write("""
                apiVersion: test.example.com/v1
                kind: %s
                metadata: {name: %s, namespace: default}
                spec: {%s}
                """.formatted(kind, name, spec));
    }

    private void write(String name, String spec) {
        write("Stepping", name, spec);
    }

    private JsonNode instance(String name) {
        return charts.get(API_VERSION, "Stepping", name);
    }

    private String ready(String name) {
        return charts.ready(API_VERSION, "Stepping", name);
    }

    private void applied(String name) {
        eventually(() -> assertThat(instance(name).at("/status/release").asInt())
                .as("%s", instance(name).path("status"))
                .isEqualTo(1));
    }

    private JsonNode job() {
        return charts.get("batch/v1", "Job", "it-before");
    }

    private void delete(String kind) {
        charts.client()
                .genericKubernetesResources(API_VERSION, kind)
                .inNamespace("default")
                .withName("it")
                .delete();
    }

    private void gone(String kind) {
        eventually(() -> assertThat(charts.get(API_VERSION, kind, "it").isEmpty())
                .as("%s", charts.ready(API_VERSION, kind, "it"))
                .isTrue());
    }

    @Test
    void a_hook_that_runs_comes_to_its_end_before_that_of_other_values_is_made() {
        write("it", "pod: {fake-kubelet/run-for: '5'}");
        eventually(() -> assertThat(job().at("/status/ready").asInt()).isEqualTo(1));
        String first = job().at("/metadata/uid").asText();

        write("it", "pod: {fake-kubelet/run-for: '0'}");
        eventually(() -> assertThat(ready("it"))
                .isEqualTo("False Progressing hook pre-install, Job it-before: the one of another run still runs;"
                        + " delete it to go on at once"));
        assertThat(job().at("/metadata/uid").asText()).isEqualTo(first);
        assertThat(job().at("/metadata/deletionTimestamp").isMissingNode()).isTrue();

        applied("it");
        assertThat(job().at("/metadata/uid").asText()).isNotEqualTo(first);
    }

    @Test
    void a_hook_that_the_cluster_takes_away_once_it_is_done_is_seen_done_and_then_taken_away() {
        write("it", "pod: {fake-kubelet/run-for: '0'}, ttl: 0");
        applied("it");

        assertThat(charts.writes().stream().filter(write -> write.matches("POST .*/jobs")))
                .hasSize(1);
        eventually(() -> assertThat(job().isEmpty()).isTrue());
    }

    @Test
    void a_hook_that_somebody_takes_away_once_it_is_done_is_not_run_again() {
        AtomicBoolean taken = new AtomicBoolean();
        charts.meanwhile(write -> {
            boolean isDone = write.matches("PATCH .*/steppings/it/status")
                    && job().at("/status").has("completionTime");
            if (isDone && taken.compareAndSet(false, true)) {
                charts.client()
                        .batch()
                        .v1()
                        .jobs()
                        .inNamespace("default")
                        .withName("it-before")
                        .delete();
                eventually(() -> assertThat(job().isEmpty()).isTrue());
            }
        });
        write("it", "pod: {fake-kubelet/run-for: '2'}, ttl: 900");
        applied("it");

        assertThat(taken).isTrue();
        assertThat(job().isEmpty()).isTrue();
    }

    @Test
    void a_hook_that_was_not_given_its_time_to_go_in_the_end_gets_it_later() {
        charts.faults().inject(Fault.on("patch", "jobs.batch").refused(403).times(1));
        write("it", "pod: {fake-kubelet/run-for: '0'}, ttl: 900");
        applied("it");

        eventually(() ->
                assertThat(job().at("/spec/ttlSecondsAfterFinished").asInt()).isEqualTo(900));
        assertThat(charts.writes()).anyMatch(write -> write.matches("PATCH .*/jobs/it-before"));
    }

    @Test
    void a_hook_that_has_not_come_to_run_is_made_anew_once_its_pod_has_gone() {
        write("it", "pod: {fake-kubelet/ready: 'false', fake-kubelet/termination-delay: '4'}");
        eventually(() -> assertThat(job().at("/status/active").asInt()).isEqualTo(1));
        String first = job().at("/metadata/uid").asText();

        write("it", "pod: {fake-kubelet/run-for: '0'}");
        eventually(() ->
                assertThat(job().at("/metadata/uid").asText()).isNotEmpty().isNotEqualTo(first));
        assertThat(charts.client().pods().inNamespace("default").list().getItems())
                .noneMatch(pod ->
                        pod.getMetadata().getOwnerReferences().get(0).getUid().equals(first));
        applied("it");
    }

    @Test
    void hooks_of_one_name_run_in_each_of_their_namespaces() {
        charts.write("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: other}
                """);
        write("it", "elsewhere: other");
        applied("it");

        assertThat(charts.get("v1", "ConfigMap", "it-step").isEmpty()).isFalse();
        assertThat(charts.client()
                        .configMaps()
                        .inNamespace("other")
                        .withName("it-step")
                        .get())
                .isNotNull();
    }

    /** Sooner or later nobody asks for it for three seconds, which the hook of another instance takes. */
    private void isLeftAlone(String path) {
        assertThat(charts.reads()).anyMatch(read -> read.endsWith(path));
        eventually(() -> {
            String other = "other-" + others++;
            charts.reads().clear();
            write(other, "pod: {fake-kubelet/run-for: '3'}");
            applied(other);
            assertThat(charts.reads()).noneMatch(read -> read.endsWith(path));
        });
    }

    @Test
    void nothing_is_read_again_while_what_is_not_ready_is_watched() {
        write("it", "service: {annotations: {some: text}}, role: true");
        eventually(() -> assertThat(ready("it")).isEqualTo("False Progressing Service it: it has no address yet"));

        isLeftAlone("/clusterroles/default-it");
    }

    @Test
    void what_is_not_ready_and_not_watched_is_read_less_and_less_often() {
        write("it", "service: {annotations: {helm.sh/resource-policy: keep}}");
        eventually(() -> assertThat(ready("it")).isEqualTo("False Progressing Service it: it has no address yet"));

        isLeftAlone("/services/it");
    }

    @Test
    void what_somebody_has_marked_to_be_kept_stays_when_the_instance_goes() {
        write("Farewell", "it", "");
        eventually(() -> assertThat(charts.get(API_VERSION, "Farewell", "it")
                        .at("/status/release")
                        .asInt())
                .isEqualTo(1));
        charts.client()
                .genericKubernetesResources("parts.example.com/v1", "Part")
                .inNamespace("default")
                .withName("it")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"helm.sh/resource-policy\":\"keep\"}}}");
        delete("Farewell");
        gone("Farewell");

        JsonNode part = charts.get("parts.example.com/v1", "Part", "it");
        assertThat(part.isEmpty()).isFalse();
        assertThat(part.at("/metadata/ownerReferences").isMissingNode()).isTrue();
        assertThat(part.at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
    }

    private void deleteDefinition() {
        charts.client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("parts.parts.example.com")
                .delete();
        eventually(() -> assertThat(charts.client().getApiResources("parts.example.com/v1"))
                .isNull());
    }

    @Test
    void an_instance_goes_with_its_hooks_where_a_kind_that_it_looks_up_is_served_no_more() {
        write("it", "looks: true, ending: true");
        applied("it");
        charts.writes().clear();
        deleteDefinition();
        delete("Stepping");
        gone("Stepping");

        assertThat(charts.writes().stream().filter(write -> write.matches("POST .*/jobs")))
                .as("pre-delete, post-delete")
                .hasSize(2);
    }

    @Test
    void an_instance_goes_where_another_process_finds_that_a_kind_is_served_no_more() throws Exception {
        write("it", "looks: true");
        applied("it");
        charts.run(SandboxedCharts.TESTED, () -> {
            deleteDefinition();
            delete("Stepping");
        });
        gone("Stepping");
    }

    @Test
    void an_instance_goes_without_its_hooks_where_its_namespace_does() {
        charts.write("""
                apiVersion: v1
                kind: Namespace
                metadata: {name: ending}
                """);
        charts.write("""
                apiVersion: test.example.com/v1
                kind: Stepping
                metadata: {name: it, namespace: ending}
                spec: {ending: true}
                """);
        eventually(() -> assertThat(charts.client()
                        .genericKubernetesResources(API_VERSION, "Stepping")
                        .inNamespace("ending")
                        .withName("it")
                        .get()
                        .getAdditionalProperties()
                        .get("status"))
                .asString()
                .contains("release=1"));
        charts.client().namespaces().withName("ending").delete();

        eventually(
                () -> assertThat(charts.client().namespaces().withName("ending").get())
                        .isNull());
    }
}
