package io.busbar.reconciler.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.condition.Conditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RolloutTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final String STALLED =
            "conditions: [{type: Progressing, status: 'False', reason: ProgressDeadlineExceeded,"
                    + " message: ReplicaSet a-1 has timed out}]";

    @Test
    void is_complete_when_all_pods_are_updated_and_available() {
        Rollout rollout = rollout("observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3");

        assertThat(rollout)
                .isEqualTo(new Rollout(Rollout.State.COMPLETE, true, "Deployment a: 3 of 3 Pods are available"));
    }

    @Test
    void is_under_way_until_the_deployment_has_been_looked_at() {
        assertThat(rollout("observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3"))
                .isEqualTo(new Rollout(Rollout.State.PROGRESSING, false, "Deployment a has not been looked at yet"));
    }

    @Test
    void says_what_it_waits_for() {
        assertThat(rollout("observedGeneration: 2, replicas: 3, updatedReplicas: 1, availableReplicas: 3"))
                .isEqualTo(new Rollout(Rollout.State.PROGRESSING, true, "Deployment a: 1 of 3 Pods are updated"));
        assertThat(rollout("observedGeneration: 2, replicas: 4, updatedReplicas: 3, availableReplicas: 4")
                        .message())
                .isEqualTo("Deployment a: 1 old Pods are still there");
        assertThat(rollout("observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 2"))
                .isEqualTo(new Rollout(Rollout.State.PROGRESSING, false, "Deployment a: 2 of 3 Pods are available"));
    }

    @Test
    void stalls_at_its_deadline() {
        assertThat(rollout("observedGeneration: 2, replicas: 4, updatedReplicas: 1, availableReplicas: 3, " + STALLED))
                .isEqualTo(new Rollout(Rollout.State.STALLED, true, "Deployment a: ReplicaSet a-1 has timed out"));
    }

    @Test
    void of_several_the_worst_counts() {
        Deployment done = deployment("observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3");
        Deployment late = deployment("observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 2");
        Deployment stalled =
                deployment("observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3, " + STALLED);

        assertThat(Rollout.of(List.of(done, done)).state()).isEqualTo(Rollout.State.COMPLETE);
        assertThat(Rollout.of(List.of(done, late))).isEqualTo(Rollout.of(late));
        assertThat(Rollout.of(List.of(done, late, stalled)))
                .isEqualTo(new Rollout(Rollout.State.STALLED, false, "Deployment a: ReplicaSet a-1 has timed out"));
    }

    @Test
    void conditions_say_so_and_keep_the_others() {
        List<Condition> before = List.of(new Condition(null, "yes", 1L, "Mine", "True", "Other"));
        List<Condition> after = rollout("observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 2")
                .conditions(Conditions.of(before, 7, NOW))
                .list();

        assertThat(after)
                .extracting(Condition::getType)
                .containsExactly("Other", "Available", "Progressing", "Degraded");
        assertThat(after).extracting(Condition::getStatus).containsExactly("True", "False", "True", "False");
        Condition progressing = Conditions.find(after, Rollout.PROGRESSING).orElseThrow();
        assertThat(progressing.getReason()).isEqualTo("RollingOut");
        assertThat(progressing.getObservedGeneration()).isEqualTo(7);
        assertThat(progressing.getMessage()).isEqualTo("Deployment a: 2 of 3 Pods are available");
    }

    @Test
    void a_refusal_degrades_and_leaves_available_what_runs() {
        List<Condition> conditions = new Rollout(Rollout.State.REFUSED, true, "Deployment a: no")
                .conditions(Conditions.of(List.of(), 1, NOW))
                .list();

        assertThat(conditions).extracting(Condition::getStatus).containsExactly("True", "False", "True");
        Condition degraded = Conditions.find(conditions, Rollout.DEGRADED).orElseThrow();
        assertThat(degraded.getReason()).isEqualTo("Refused");
        assertThat(degraded.getMessage()).isEqualTo("Deployment a: no");
    }

    private static Rollout rollout(String status) {
        return Rollout.of(deployment(status));
    }

    private static Deployment deployment(String status) {
        return Serialization.unmarshal(
                "---\nmetadata: {name: a, generation: 2}\nspec: {replicas: 3}\nstatus: {" + status + "}",
                Deployment.class);
    }
}
