package io.busbar.sandbox.kinds.deployment;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RolloutTest {

    private static ObjectNode deployment(int replicas, String surge, String unavailable) {
        return object("{metadata: {name: 'd'}, spec: {replicas: " + replicas
                + ", template: {metadata: {labels: {v: 'new'}}}, strategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: "
                + surge + ", maxUnavailable: " + unavailable + "}}}}");
    }

    private static ObjectNode set(String version, int replicas, int available, String annotations) {
        return object("{metadata: {name: '" + version + "', uid: '" + version + "', creationTimestamp: '" + version
                + "', annotations: " + annotations + "}, spec: {replicas: " + replicas
                + ", template: {metadata: {labels: {v: '" + version
                + "', pod-template-hash: 'x'}}}}, status: {availableReplicas: " + available + "}}");
    }

    private static ObjectNode set(String version, int replicas, int available) {
        return set(version, replicas, available, "{}");
    }

    private static RollingUpdate step(ObjectNode deployment, ObjectNode... sets) {
        return new RollingUpdate(Strategy.of(deployment), Family.of(deployment, List.of(sets)));
    }

    @Test
    void percentages_of_the_surge_round_up_and_of_the_missing_down() {
        assertThat(Strategy.of(deployment(3, "'25%'", "'25%'"))).isEqualTo(new Strategy(true, 3, 1, 0));
        assertThat(Strategy.of(deployment(10, "'25%'", "'25%'"))).isEqualTo(new Strategy(true, 10, 3, 2));
        assertThat(Strategy.of(deployment(2, "1", "5"))).isEqualTo(new Strategy(true, 2, 1, 2));
    }

    @Test
    void a_rollout_that_may_neither_grow_nor_shrink_gives_up_one() {
        assertThat(Strategy.of(deployment(3, "0", "'25%'"))).isEqualTo(new Strategy(true, 3, 0, 1));
    }

    @Test
    void the_new_set_grows_within_the_surge() {
        assertThat(step(deployment(4, "1", "1"), set("old", 4, 4)).newSize(0)).isEqualTo(1);
        assertThat(step(deployment(4, "1", "1"), set("old", 4, 4), set("new", 1, 0))
                        .newSize(1))
                .isEqualTo(1);
        assertThat(step(deployment(4, "'100%'", "0"), set("old", 4, 4)).newSize(0))
                .isEqualTo(4);
        assertThat(step(deployment(2, "1", "1"), set("new", 4, 4)).newSize(4)).isEqualTo(2);
    }

    @Test
    void old_sets_shrink_as_far_as_enough_pods_are_available() {
        assertThat(step(deployment(4, "1", "1"), set("old", 4, 4), set("new", 1, 0))
                        .oldSizes())
                .containsExactly(Map.entry("old", 3));
        assertThat(step(deployment(4, "1", "0"), set("old", 4, 4), set("new", 1, 0))
                        .oldSizes())
                .isEmpty();
        assertThat(step(deployment(4, "1", "0"), set("old", 4, 4), set("new", 1, 1))
                        .oldSizes())
                .containsEntry("old", 3);
    }

    @Test
    void pods_that_serve_nobody_go_first() {
        assertThat(step(deployment(4, "1", "1"), set("bad", 2, 0), set("old", 3, 3))
                        .oldSizes())
                .containsExactly(Map.entry("bad", 0));
    }

    @Test
    void a_change_of_size_in_the_middle_of_a_rollout_is_shared_out() {
        String at10 =
                "{'deployment.kubernetes.io/max-replicas': '10', 'deployment.kubernetes.io/desired-replicas': '10'}";
        ObjectNode deployment = deployment(20, "0", "1");
        Family family = Family.of(deployment, List.of(set("old", 6, 6, at10), set("new", 4, 4, at10)));
        assertThat(new Scaling(deployment, Strategy.of(deployment), family).sizes())
                .containsEntry("old", 12)
                .containsEntry("new", 8);
    }

    @Test
    void what_rounding_leaves_over_goes_to_the_largest() {
        String at3 = "{'deployment.kubernetes.io/max-replicas': '3'}";
        ObjectNode deployment = deployment(4, "0", "1");
        Family family = Family.of(deployment, List.of(set("old", 2, 2, at3), set("new", 1, 1, at3)));
        assertThat(new Scaling(deployment, Strategy.of(deployment), family).sizes())
                .containsEntry("old", 3)
                .containsEntry("new", 1);
    }

    @Test
    void a_single_set_takes_all() {
        ObjectNode deployment = deployment(7, "1", "0");
        Family family = Family.of(deployment, List.of(set("old", 0, 0), set("new", 2, 2)));
        assertThat(new Scaling(deployment, Strategy.of(deployment), family).sizes())
                .containsExactly(Map.entry("new", 7));
    }
}
