package io.busbar.charts.run;

import static io.busbar.charts.run.SandboxedCharts.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Deletions, and what is read by requests: kinds that are not built in, and what is looked up. */
@TestInstance(Lifecycle.PER_CLASS)
class FarewellTest {

    private static final String API_VERSION = "test.example.com/v1";
    private static final String PARTS = "parts.example.com/v1";

    private SandboxedCharts charts;

    @BeforeAll
    void start() throws Exception {
        charts = SandboxedCharts.startTested();
    }

    @AfterAll
    void stop() throws Exception {
        charts.close();
    }

    private void instance(String kind, String name, String spec) {
        charts.write("""
                apiVersion: test.example.com/v1
                kind: %s
                metadata: {name: %s, namespace: default}
                spec: {%s}
                """.formatted(kind, name, spec));
    }

    private String ready(String kind, String name) {
        return charts.ready(API_VERSION, kind, name);
    }

    private JsonNode get(String apiVersion, String kind, String name) {
        return charts.get(apiVersion, kind, name);
    }

    private void delete(String kind, String name) {
        charts.client()
                .genericKubernetesResources(API_VERSION, kind)
                .inNamespace("default")
                .withName(name)
                .delete();
    }

    @Test
    void runs_hooks_before_and_after_the_objects_go_and_keeps_what_is_to_be_kept() {
        instance("Farewell", "leaving", "runFor: '1'");
        eventually(() -> assertThat(get("batch/v1", "Job", "leaving-after").isEmpty()
                        && get(API_VERSION, "Farewell", "leaving")
                                        .at("/status/release")
                                        .asInt()
                                == 1)
                .isTrue());
        assertThat(get(API_VERSION, "Farewell", "leaving")
                        .at("/status/hooks/done")
                        .toString())
                .isEqualTo("[\"post-install Job leaving-after\"]");
        assertThat(get("batch/v1", "Job", "leaving-pre-delete").isEmpty()).isTrue();
        assertThat(get(PARTS, "Part", "leaving")
                        .at("/metadata/ownerReferences/0/name")
                        .asText())
                .isEqualTo("leaving");

        charts.writes().clear();
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        charts.meanwhile(write -> {
            boolean isHook = write.matches("POST .*/jobs");
            if (isHook || write.matches("DELETE .*/leaving")) {
                seen.add((isHook ? "hook: " : "object: ")
                        + (get("v1", "ConfigMap", "leaving").isEmpty() ? "objects have gone" : "objects are there")
                        + (get("batch/v1", "Job", "leaving-pre-delete")
                                        .at("/status/completionTime")
                                        .isMissingNode()
                                ? ""
                                : ", the first hook is done"));
            }
        });
        delete("Farewell", "leaving");
        eventually(() ->
                assertThat(get(API_VERSION, "Farewell", "leaving").isEmpty()).isTrue());
        charts.meanwhile(write -> {});
        assertThat(seen)
                .as("pre-delete, Part and ConfigMap, post-delete")
                .containsExactly(
                        "hook: objects are there",
                        "object: objects are there, the first hook is done",
                        "object: objects are there, the first hook is done",
                        "hook: objects have gone, the first hook is done");
        assertThat(get("v1", "ConfigMap", "leaving").isEmpty()).isTrue();
        assertThat(get(PARTS, "Part", "leaving").isEmpty()).isTrue();
        assertThat(get("v1", "PersistentVolumeClaim", "leaving").at("/metadata").has("ownerReferences"))
                .isFalse();
        assertThat(get("v1", "PersistentVolumeClaim", "leaving")
                        .at("/spec/accessModes/0")
                        .asText())
                .isEqualTo("ReadWriteOnce");
    }

    @Test
    void stays_when_a_hook_before_its_deletion_fails_and_goes_when_that_is_run_again() {
        instance("Farewell", "clinging", "exitCode: '1'");
        eventually(() -> assertThat(get(API_VERSION, "Farewell", "clinging")
                        .at("/status/release")
                        .asInt())
                .isEqualTo(1));
        delete("Farewell", "clinging");
        eventually(() -> assertThat(ready("Farewell", "clinging"))
                .startsWith("False HookFailed hook pre-delete, Job clinging-pre-delete: "));
        assertThat(get("v1", "ConfigMap", "clinging").isEmpty()).isFalse();

        instance("Farewell", "clinging", "exitCode: '0'");
        eventually(() ->
                assertThat(get(API_VERSION, "Farewell", "clinging").isEmpty()).isTrue());
    }

    @Test
    void runs_a_hook_no_more_that_has_failed_and_is_deleted_for_that_until_the_values_change() {
        instance("Farewell", "failing", "afterExitCode: '1'");
        eventually(() -> assertThat(ready("Farewell", "failing"))
                .startsWith("False HookFailed hook post-install, Job failing-after: "));
        eventually(() ->
                assertThat(get("batch/v1", "Job", "failing-after").isEmpty()).isTrue());
        long jobs = jobs();
        instance("Farewell", "failing", "afterExitCode: '1', unused: true");
        eventually(() -> assertThat(get(API_VERSION, "Farewell", "failing")
                        .at("/status/observedGeneration")
                        .asInt())
                .isEqualTo(2));
        assertThat(ready("Farewell", "failing")).startsWith("False HookFailed");
        assertThat(jobs()).isEqualTo(jobs);

        instance("Farewell", "failing", "");
        eventually(() -> assertThat(get(API_VERSION, "Farewell", "failing")
                        .at("/status/release")
                        .asInt())
                .isEqualTo(1));
    }

    private long jobs() {
        return charts.writes().stream()
                .filter(write -> write.matches("POST .*/jobs"))
                .count();
    }

    @Test
    void watches_nothing_but_instances_where_it_is_told_so_and_does_all_the_rest() {
        instance("Blind", "blind", "");
        eventually(() -> assertThat(
                        get(API_VERSION, "Blind", "blind").at("/status/release").asInt())
                .isEqualTo(1));
        assertThat(get(API_VERSION, "Blind", "blind").at("/status/objects"))
                .hasToString("[\"v1 ConfigMap default/blind\",\"parts.example.com/v1 Part default/blind\"]");
        assertThat(charts.definition().declaration().parts().get(1).permissions().stream()
                        .filter(permission -> permission.resources().contains("configmaps"))
                        .flatMap(permission -> permission.verbs().stream()))
                .containsExactlyInAnyOrder("get", "create", "patch", "delete");

        delete("Blind", "blind");
        eventually(
                () -> assertThat(get(API_VERSION, "Blind", "blind").isEmpty()).isTrue());
        assertThat(get("v1", "ConfigMap", "blind").isEmpty()).isTrue();
    }

    @Test
    void deletes_no_object_that_somebody_has_made_anew_meanwhile() {
        instance("Blind", "outrun", "");
        eventually(() -> assertThat(get(API_VERSION, "Blind", "outrun")
                        .at("/status/release")
                        .asInt())
                .isEqualTo(1));
        AtomicBoolean done = new AtomicBoolean();
        charts.meanwhile(write -> {
            if (write.matches("DELETE .*/configmaps/outrun") && done.compareAndSet(false, true)) {
                charts.client()
                        .configMaps()
                        .inNamespace("default")
                        .withName("outrun")
                        .delete();
                charts.write("""
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: outrun, namespace: default}
                        """);
            }
        });
        delete("Blind", "outrun");
        eventually(
                () -> assertThat(get(API_VERSION, "Blind", "outrun").isEmpty()).isTrue());

        assertThat(done).isTrue();
        assertThat(get("v1", "ConfigMap", "outrun").isEmpty()).isFalse();
    }

    @Test
    void makes_a_password_up_once_and_sees_what_it_looks_up_change() {
        instance("Keeper", "keeping", "");
        eventually(() -> assertThat(ready("Keeper", "keeping")).startsWith("True Ready"));
        String password = get("v1", "Secret", "keeping").at("/data/password").asText();
        String revision =
                get(API_VERSION, "Keeper", "keeping").at("/status/revision").asText();
        assertThat(password).isNotEmpty();
        assertThat(get("v1", "ConfigMap", "keeping").at("/data/theirs").asText())
                .isEqualTo("nothing");
        assertThat(get("v1", "ConfigMap", "keeping").at("/data/classes").asInt())
                .isEqualTo(charts.client()
                        .storage()
                        .v1()
                        .storageClasses()
                        .list()
                        .getItems()
                        .size());
        assertThat(charts.definition().declaration().parts().stream()
                        .flatMap(part -> part.permissions().stream())
                        .filter(permission -> permission.resources().contains("storageclasses"))
                        .flatMap(permission -> permission.verbs().stream()))
                .containsExactlyInAnyOrder("get", "list");

        charts.write("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: theirs, namespace: default}
                data: {text: something}
                """);
        eventually(() -> assertThat(
                        get("v1", "ConfigMap", "keeping").at("/data/theirs").asText())
                .isEqualTo("something"));
        eventually(() -> assertThat(release("keeping")).isEqualTo(2));

        instance("Keeper", "keeping", "size: 2");
        eventually(() -> assertThat(
                        get("v1", "ConfigMap", "keeping").at("/data/size").asText())
                .isEqualTo("2"));
        eventually(() -> assertThat(release("keeping")).isEqualTo(3));
        assertThat(get(API_VERSION, "Keeper", "keeping").at("/status/revision").asText())
                .isNotEqualTo(revision);
        assertThat(get("v1", "Secret", "keeping").at("/data/password").asText()).isEqualTo(password);
    }

    private int release(String keeper) {
        return get(API_VERSION, "Keeper", keeper).at("/status/release").asInt();
    }
}
