package io.busbar.operator.podset;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnedPodsTest {

    @Test
    void those_pending_and_running_count() {
        Pod pending = TestPods.pod("b", "Pending", false);
        Pod running = TestPods.running("a");
        OwnedPods pods = OwnedPods.of(List.of(pending, running));

        assertThat(pods.active()).containsExactly(pending, running);
        assertThat(pods.count()).isEqualTo(2);
        assertThat(pods.ready()).isEqualTo(1);
        assertThat(pods.names()).containsExactly("a", "b");
    }

    @Test
    void one_that_was_just_created_counts_whatever_it_lacks() {
        Pod fresh = TestPods.running("a");
        fresh.setStatus(null);

        assertThat(OwnedPods.of(List.of(fresh)).active()).containsExactly(fresh);
        assertThat(OwnedPods.of(List.of(fresh)).ready()).isZero();
    }

    @Test
    void those_that_have_failed_or_succeeded_are_to_be_replaced() {
        Pod failed = TestPods.pod("a", "Failed", false);
        Pod succeeded = TestPods.pod("b", "Succeeded", false);
        OwnedPods pods = OwnedPods.of(List.of(failed, succeeded));

        assertThat(pods.active()).isEmpty();
        assertThat(pods.ended()).containsExactly(failed, succeeded);
    }

    @Test
    void those_that_go_or_are_not_heard_of_are_neither() {
        OwnedPods pods = OwnedPods.of(List.of(
                TestPods.deleting(TestPods.running("a")),
                TestPods.deleting(TestPods.pod("b", "Failed", false)),
                TestPods.pod("c", "Unknown", false)));

        assertThat(pods.active()).isEmpty();
        assertThat(pods.ended()).isEmpty();
    }
}
