package io.busbar.reconciler.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeletionOrderTest {

    private static final String READY = "conditions: [{type: Ready, status: 'True', lastTransitionTime: '%s'}]";

    /** Each is missed more than the one before. */
    private static final List<Pod> ORDERED = List.of(
            pod("unassigned", "2020-01-01T00:00:00Z", "", "phase: Pending"),
            pod("pending", "2020-01-01T00:00:00Z", "node-0", "phase: Pending"),
            pod("unready", "2020-01-01T00:00:00Z", "node-0", "phase: Running"),
            pod(
                    "ready-lately",
                    "2020-01-01T00:00:00Z",
                    "node-0",
                    "phase: Running, " + READY.formatted("2020-01-03T00:00:00Z")),
            pod(
                    "restarted",
                    "2020-01-01T00:00:00Z",
                    "node-0",
                    "phase: Running, containerStatuses: [{name: a, restartCount: 3}], "
                            + READY.formatted("2020-01-02T00:00:00Z")),
            pod(
                    "young",
                    "2020-01-02T00:00:00Z",
                    "node-0",
                    "phase: Running, " + READY.formatted("2020-01-02T00:00:00Z")),
            pod("old", "2020-01-01T00:00:00Z", "node-0", "phase: Running, " + READY.formatted("2020-01-02T00:00:00Z")));

    @Test
    void those_missed_least_go_first() {
        List<Pod> shuffled = new ArrayList<>(ORDERED);
        Collections.shuffle(shuffled, new Random(7));

        assertThat(DeletionOrder.first(7, shuffled)).containsExactlyElementsOf(ORDERED);
        assertThat(DeletionOrder.first(2, shuffled)).containsExactlyElementsOf(ORDERED.subList(0, 2));
        assertThat(DeletionOrder.first(9, shuffled)).hasSize(7);
    }

    private static Pod pod(String name, String created, String node, String status) {
        return Serialization.unmarshal("""
                ---
                metadata: {name: %s, creationTimestamp: '%s'}
                spec: {nodeName: '%s'}
                status: {%s}
                """.formatted(name, created, node, status), Pod.class);
    }
}
