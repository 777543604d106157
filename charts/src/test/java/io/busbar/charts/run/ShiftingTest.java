package io.busbar.charts.run;

import static io.busbar.charts.run.SandboxedCharts.chart;
import static io.busbar.charts.run.SandboxedCharts.eventually;
import static io.busbar.charts.run.ShiftingInstance.MAP;
import static io.busbar.charts.run.ShiftingInstance.QUOTA;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What changes between two looks at an instance: its values, its objects, and who looks. */
class ShiftingTest {

    private static final Path SHIFTING = SandboxedCharts.TESTED.resolveSibling("shifting");

    @TempDir
    private Path folder;

    @AutoClose
    private final SandboxedCharts charts = SandboxedCharts.idle();

    private final ShiftingInstance it = new ShiftingInstance(charts);

    private String uidOfJob(String event) {
        return charts.get("batch/v1", "Job", "it-" + event).at("/metadata/uid").asText();
    }

    @Test
    void an_object_of_another_version_than_the_one_that_is_watched_stays() throws Exception {
        charts.run(watches(true));
        it.applied("scaled: true", 1);
        it.applied("scaled: true, both: false", 2);
        eventually(() -> assertThat(it.ready()).startsWith("True Ready"));

        assertThat(it.sent("DELETE .*/horizontalpodautoscalers/.*")).isZero();
        assertThat(charts.get("autoscaling/v2", "HorizontalPodAutoscaler", "it").isEmpty())
                .isFalse();
    }

    @Test
    void objects_stay_when_their_kinds_come_to_be_watched() throws Exception {
        charts.run(watches(false));
        it.applied("", 1);
        JsonNode before = it.get("Secret").at("/metadata/uid");
        charts.run(watches(true));
        it.applied("both: false", 2);

        assertThat(it.get("Secret").at("/metadata/uid")).isEqualTo(before);
        assertThat(it.sent("DELETE .*/(secrets|configmaps)/.*")).isZero();
    }

    @Test
    void what_somebody_else_has_made_under_a_noted_name_stays_when_its_kind_comes_to_be_watched() throws Exception {
        charts.run(watches(false));
        it.applied("scaled: true", 1);
        charts.run(watches(true), () -> {
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
            it.write("scaled: false");
        });
        eventually(() -> assertThat(it.now().at("/status/release").asInt()).isEqualTo(2));

        assertThat(it.get("ServiceAccount").isEmpty()).isFalse();
    }

    /** The chart of these tests alone, and whether the operator watches what it makes. */
    private Path watches(boolean dependents) throws IOException {
        return Files.writeString(
                folder.resolve("watches.yaml"),
                "- {group: test.example.com, version: v1, kind: Shifting, watchDependentResources: " + dependents
                        + ", chart: " + SHIFTING.toAbsolutePath() + "}\n");
    }

    @Test
    void the_last_object_of_a_kind_goes_when_a_new_chart_has_none_of_it() throws Exception {
        charts.run(chart(folder, MAP + "---\n" + QUOTA));
        it.applied("", 1);
        charts.run(chart(folder, MAP));
        it.applied("", 2);

        assertThat(it.get("ResourceQuota").isEmpty()).isTrue();
        assertThat(it.get("ConfigMap").isEmpty()).isFalse();
        charts.reads().clear();
        it.write("changed: true");
        eventually(() ->
                assertThat(it.now().at("/status/observedGeneration").asInt()).isEqualTo(2));
        assertThat(charts.reads()).noneMatch(read -> read.endsWith("/resourcequotas"));
    }

    @Test
    void what_is_taken_out_while_nobody_looks_is_taken_out_of_the_cluster() throws Exception {
        charts.run(watches(true));
        it.applied("", 1);
        assertThat(it.get("ConfigMap").at("/data/b").asText()).isEqualTo("two");
        charts.run(watches(true), () -> it.write("both: false"));

        eventually(() -> assertThat(it.get("ConfigMap").path("data")).hasToString("{\"a\":\"one\"}"));
    }

    @Test
    void what_is_to_be_kept_from_now_on_stays_when_the_instance_goes_and_can_be_taken_back() throws Exception {
        charts.run(watches(true));
        it.applied("", 1);
        it.applied("keep: true", 2);
        assertThat(it.get("Secret").at("/metadata/ownerReferences").isMissingNode())
                .isTrue();
        it.applied("keep: false", 3);
        assertThat(it.get("Secret").at("/metadata/ownerReferences/0/uid"))
                .isEqualTo(it.now().at("/metadata/uid"));

        it.applied("keep: true", 4);
        it.delete();
        assertThat(it.get("ConfigMap").isEmpty()).isTrue();
        assertThat(it.get("Secret").isEmpty()).isFalse();
    }

    @Test
    void hooks_of_a_deletion_run_once_whatever_the_chart_comes_to_once_its_objects_have_gone() throws Exception {
        charts.run(watches(true));
        it.applied("", 1);
        long before = it.sent("POST .*/jobs");
        it.delete();

        assertThat(it.sent("POST .*/jobs") - before)
                .as("pre-delete, post-delete")
                .isEqualTo(2);
    }

    @Test
    void hooks_of_a_deletion_run_also_where_the_installation_was_never_done() throws Exception {
        charts.run(watches(true));
        it.write("afterExitCode: '1'");
        eventually(() -> assertThat(it.ready()).startsWith("False HookFailed hook post-install"));
        long before = it.sent("POST .*/jobs");
        it.delete();

        assertThat(it.sent("POST .*/jobs") - before)
                .as("pre-delete, post-delete")
                .isEqualTo(2);
    }

    @Test
    void hooks_run_again_for_a_revision_that_comes_back() throws Exception {
        charts.run(watches(true));
        it.applied("", 1);
        it.applied("both: false", 2);
        String first = uidOfJob("pre-upgrade");
        it.applied("withoutHooks: true", 3);
        it.applied("both: false", 4);
        String second = uidOfJob("pre-upgrade");
        assertThat(second).isNotEqualTo(first);

        it.write("afterExitCode: '1'");
        eventually(() -> assertThat(it.ready()).startsWith("False HookFailed hook post-upgrade"));
        String third = uidOfJob("pre-upgrade");
        it.applied("both: false", 5);
        assertThat(uidOfJob("pre-upgrade")).isNotIn(first, second, third);
    }
}
