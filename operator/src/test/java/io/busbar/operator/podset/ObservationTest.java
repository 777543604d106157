package io.busbar.operator.podset;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObservationTest {

    private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = THEN.plusSeconds(60);

    @Test
    void tells_which_pods_there_are_and_how_many_are_ready() {
        PodSetStatus status = status(
                TestSets.set("a", 2, 7), none(), THEN, TestPods.pod("a-2", "Pending", false), TestPods.running("a-1"));

        assertThat(status.nodes()).containsExactly("a-1", "a-2");
        assertThat(status.replicas()).isEqualTo(2);
        assertThat(status.readyReplicas()).isEqualTo(1);
        assertThat(status.availableReplicas()).isEqualTo(1);
        assertThat(status.observedGeneration()).isEqualTo(7);
        assertThat(status.selector()).isEqualTo("app=a,version=v0.1");
        assertThat(available(status).getStatus()).isEqualTo("False");
        assertThat(available(status).getReason()).isEqualTo("PodsUnavailable");
        assertThat(available(status).getMessage()).isEqualTo("1 of 2 Pods are available");
    }

    @Test
    void a_set_of_none_is_available_and_lists_none() {
        PodSetStatus status = status(TestSets.set("a", 0, 1), none(), THEN);

        assertThat(status.nodes()).isEmpty();
        assertThat(available(status).getStatus()).isEqualTo("True");
    }

    @Test
    void tells_why_there_are_too_few() {
        PodSetStatus status = status(TestSets.set("a", 1, 1), Optional.of("exceeded quota"), THEN);

        assertThat(available(status).getStatus()).isEqualTo("False");
        assertThat(available(status).getReason()).isEqualTo("FailedCreate");
        assertThat(available(status).getMessage()).isEqualTo("exceeded quota");
    }

    @Test
    void the_time_of_a_transition_stays_until_the_next_one() {
        PodSet set = TestSets.set("a", 1, 1);
        set.setStatus(status(set, none(), THEN));
        PodSetStatus same = status(set, none(), LATER);
        PodSetStatus other = status(set, none(), LATER, TestPods.running("a-1"));

        assertThat(same).isEqualTo(set.getStatus());
        assertThat(available(other).getLastTransitionTime()).isEqualTo(LATER.toString());
    }

    private static Optional<String> none() {
        return Optional.empty();
    }

    private static PodSetStatus status(PodSet set, Optional<String> refusal, Instant now, Pod... pods) {
        return new Observation(OwnedPods.of(List.of(pods)), refusal)
                .in(set, now)
                .getStatus();
    }

    private static Condition available(PodSetStatus status) {
        assertThat(status.conditions()).hasSize(1);
        assertThat(status.conditions().get(0).getType()).isEqualTo("Available");
        return status.conditions().get(0);
    }
}
