package io.busbar.sandbox.kinds.statefulset;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");

    private static ObjectNode set(int replicas, String more) {
        return object("{metadata: {name: 's'}, spec: {replicas: " + replicas + more + "}}");
    }

    private static ObjectNode pod(int ordinal, String revision, boolean ready) {
        return object("{metadata: {name: 's-" + ordinal + "', labels: {controller-revision-hash: '" + revision
                + "'}}, status: {phase: 'Running', conditions: [{type: 'Ready', status: '" + (ready ? "True" : "False")
                + "', lastTransitionTime: '2026-01-01T00:00:30Z'}]}}");
    }

    private static ObjectNode deleting(ObjectNode pod) {
        Metadata.of(pod).node().put("deletionTimestamp", "2026-01-01T00:00:00Z");
        return pod;
    }

    /** {@code +0 new}, {@code -2}. */
    private static List<String> steps(ObjectNode set, ObjectNode... pods) {
        return new Plan(set, List.of(pods), "new", NOW)
                .steps().stream()
                        .map(step -> step instanceof Step.Make make
                                ? "+" + make.ordinal() + (make.updated() ? " new" : " old")
                                : "-" + Metadata.of(((Step.Remove) step).pod()).name())
                        .toList();
    }

    @Test
    void pods_come_in_order() {
        assertThat(steps(set(2, ""))).containsExactly("+0 new");
        assertThat(steps(set(2, ""), pod(0, "new", false))).isEmpty();
        assertThat(steps(set(2, ""), pod(0, "new", true))).containsExactly("+1 new");
    }

    @Test
    void a_pod_must_have_been_ready_for_long_enough() {
        assertThat(steps(set(2, ", minReadySeconds: 31"), pod(0, "new", true))).isEmpty();
        assertThat(steps(set(2, ", minReadySeconds: 30"), pod(0, "new", true))).containsExactly("+1 new");
    }

    @Test
    void pods_come_all_at_once_in_parallel() {
        assertThat(steps(set(3, ", podManagementPolicy: 'Parallel'"), pod(1, "new", false)))
                .containsExactly("+0 new", "+2 new");
    }

    @Test
    void ordinals_may_start_later() {
        assertThat(steps(set(1, ", ordinals: {start: 5}"))).containsExactly("+5 new");
        assertThat(steps(set(1, ", ordinals: {start: 1}"), pod(0, "new", true), pod(1, "new", true)))
                .containsExactly("-s-0");
    }

    @Test
    void the_last_pod_goes_first() {
        assertThat(steps(set(1, ""), pod(0, "new", true), pod(1, "new", true), pod(2, "new", true)))
                .containsExactly("-s-2");
        assertThat(steps(set(1, ""), pod(0, "new", true), pod(1, "new", true), deleting(pod(2, "new", true))))
                .isEmpty();
    }

    @Test
    void nothing_goes_while_one_before_it_is_not_ready() {
        assertThat(steps(set(1, ""), pod(0, "new", false), pod(1, "new", true))).isEmpty();
    }

    @Test
    void updates_go_from_the_last_pod_to_the_partition() {
        String from1 = ", updateStrategy: {type: 'RollingUpdate', rollingUpdate: {partition: 1}}";
        assertThat(steps(set(3, from1), pod(0, "old", true), pod(1, "old", true), pod(2, "old", true)))
                .containsExactly("-s-2");
        assertThat(steps(set(3, from1), pod(0, "old", true), pod(1, "old", true), pod(2, "new", true)))
                .containsExactly("-s-1");
        assertThat(steps(set(3, from1), pod(0, "old", true), pod(1, "new", true), pod(2, "new", true)))
                .isEmpty();
        assertThat(steps(set(3, from1), pod(1, "new", true), pod(2, "new", true)))
                .containsExactly("+0 old");
    }

    @Test
    void an_update_waits_for_the_pod_before() {
        assertThat(steps(set(2, ", podManagementPolicy: 'Parallel'"), pod(0, "old", true), pod(1, "new", false)))
                .isEmpty();
    }

    @Test
    void nothing_is_updated_on_delete() {
        assertThat(steps(set(1, ", updateStrategy: {type: 'OnDelete'}"), pod(0, "old", true)))
                .isEmpty();
    }
}
