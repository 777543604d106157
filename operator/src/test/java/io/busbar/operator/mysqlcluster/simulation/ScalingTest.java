package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.sql.Load;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScalingTest {

    private static final String AUTOSCALING =
            "size: 2\nautoscaling: {enabled: true, minReplicas: 2, maxReplicas: 4, target: 10,"
                    + " scaleDownStabilizationSeconds: 20, cooldownSeconds: 5}\n";

    @Test
    void new_members_are_given_a_copy_and_follow() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 2\n");
        cluster.spec("size: 4\n");

        cluster.settle();

        assertThat(cluster.status().readyReplicas()).isEqualTo(4);
        assertThat(cluster.events).contains("Normal ScaledUp: from 2 to 4 members");
        assertThat(cluster.made("create db-clone")).hasSize(2);
        Whole.check(cluster);
    }

    @Test
    void the_primary_moves_before_its_member_goes() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {primaryOrdinal: 2}\n");
        cluster.spec("size: 2\n");

        cluster.settle();

        // An operator that has just begun applies it once, and finds that nothing changes by that.
        assertThat(cluster.calls.made())
                .containsSubsequence("apply StatefulSet db #1", "makeWritable db-0 #1", "apply StatefulSet db #2");
        assertThat(cluster.events).contains("Normal ScaledDown: from 3 to 2 members");
        assertThat(cluster.told("FailoverStarted")).isZero();
        Whole.check(cluster);
    }

    @Test
    void nobody_goes_as_long_as_the_primary_cannot_move() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {primaryOrdinal: 2}\n");
        cluster.server(0).lag = Duration.ofSeconds(31);
        cluster.server(1).lag = Duration.ofSeconds(31);
        cluster.spec("size: 2\n");

        cluster.turns(10);
        assertThat(cluster.reason(ConditionTypes.SCALING_LIMITED)).isEqualTo("PrimaryCannotMove");
        assertThat(cluster.status().replicas()).isEqualTo(3);
        cluster.server(1).lag = Duration.ZERO;
        cluster.until(() -> cluster.status().replicas() == 2);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-1");
        assertThat(cluster.status().replicas()).isEqualTo(2);
    }

    @Test
    void the_only_replica_that_follows_does_not_go_before_another_one_does() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {semiSync: true}\n");
        cluster.node.kill("db-1");
        cluster.spec("size: 2\nreplication: {semiSync: true}\n");

        cluster.turns(10);
        assertThat(cluster.reason(ConditionTypes.SCALING_LIMITED)).isEqualTo("ReplicasAway");
        assertThat(cluster.status().replicas()).isEqualTo(3);
        assertThat(cluster.status().targetSize()).isEqualTo(2);
        cluster.node.bringBack("db-1");
        cluster.until(() -> cluster.status().replicas() == 2);
        cluster.settle();

        Whole.check(cluster);
    }

    @Test
    void with_semi_sync_nobody_goes_who_has_acknowledged_what_those_that_stay_lack() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {semiSync: true}\n");
        cluster.turns(2);
        cluster.server(1).deaf = true;
        cluster.pass();
        cluster.spec("size: 2\nreplication: {semiSync: true}\n");

        cluster.turns(5);
        assertThat(cluster.reason(ConditionTypes.SCALING_LIMITED)).isEqualTo("ReplicasAway");
        assertThat(cluster.message(ConditionTypes.SCALING_LIMITED))
                .isEqualTo("db-2 may have acknowledged writes that those that are to stay do not have yet");
        assertThat(cluster.status().replicas()).isEqualTo(3);
        cluster.server(1).deaf = false;
        cluster.until(() -> cluster.status().replicas() == 2);

        assertThat(cluster.made("stopReceiving db-2")).isNotEmpty();
        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void semi_sync_keeps_a_replica() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {semiSync: true}\n");
        cluster.spec("size: 1\nreplication: {semiSync: true}\n");

        cluster.settle();

        assertThat(cluster.status().replicas()).isEqualTo(2);
        assertThat(cluster.reason(ConditionTypes.SCALING_LIMITED)).isEqualTo("SemiSyncNeedsAReplica");
        Whole.check(cluster);
    }

    @Test
    void busy_members_become_more_a_step_at_a_time_up_to_the_bound() {
        SimulatedCluster cluster = SimulatedCluster.running(AUTOSCALING);
        busy(cluster, 30);

        cluster.until(() -> cluster.status().targetSize() == 3);
        assertThat(cluster.reason(ConditionTypes.SCALING_LIMITED)).isEqualTo("TooManyReplicas");
        assertThat(cluster.message(ConditionTypes.SCALING_LIMITED))
                .isEqualTo("6 members are called for, 2 to 4 allowed");
        cluster.until(() -> cluster.status().readyReplicas() == 3);
        busy(cluster, 30);
        cluster.until(() -> cluster.status().readyReplicas() == 4);
        busy(cluster, 30);
        cluster.turns(30);

        assertThat(cluster.status().replicas()).isEqualTo(4);
        assertThat(cluster.status().targetSize()).isEqualTo(4);
    }

    @Test
    void idle_members_go_after_a_while_down_to_the_bound() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 4\n");
        busy(cluster, 1);
        cluster.spec(AUTOSCALING);

        cluster.turns(15);
        assertThat(cluster.status().replicas()).isEqualTo(4);
        cluster.until(() -> cluster.status().replicas() == 2);
        cluster.turns(40);

        assertThat(cluster.status().replicas()).isEqualTo(2);
        assertThat(cluster.reason(ConditionTypes.SCALING_LIMITED)).isEqualTo("TooFewReplicas");
    }

    @Test
    void members_do_not_go_by_what_was_seen_before_another_replica_of_the_operator_had_the_cluster() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 4\n");
        busy(cluster, 1);
        cluster.spec(AUTOSCALING);
        cluster.turns(5);
        for (int i = 0; i < 60; i++) {
            cluster.pass();
        }
        cluster.context.comeBack();

        cluster.turns(15);
        assertThat(cluster.status().replicas()).isEqualTo(4);
        cluster.until(() -> cluster.status().replicas() == 2);
    }

    @Test
    void a_replica_that_does_not_answer_and_may_acknowledge_does_not_go() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {semiSync: true}\n");
        cluster.node.lose("db-2");
        cluster.spec("size: 2\nreplication: {semiSync: true}\n");

        cluster.turns(10);
        assertThat(cluster.status().replicas()).isEqualTo(3);
        assertThat(cluster.reason(ConditionTypes.SCALING_LIMITED)).isEqualTo("ReplicasAway");
        assertThat(cluster.message(ConditionTypes.SCALING_LIMITED)).contains("db-2");
        cluster.node.bringBack("db-2");
        cluster.settle();

        assertThat(cluster.status().replicas()).isEqualTo(2);
        Whole.check(cluster);
    }

    @Test
    void a_primary_that_a_former_leader_has_scaled_away_comes_back() {
        SimulatedCluster cluster =
                SimulatedCluster.running("size: 3\nreplication: {semiSync: true, primaryOrdinal: 2}\n");
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
        StatefulSet set = cluster.context.get(StatefulSet.class, "db").orElseThrow();
        cluster.context.put(
                new StatefulSetBuilder(set).editSpec().withReplicas(2).endSpec().build());
        cluster.pass();

        cluster.settle();

        assertThat(cluster.status().replicas()).isEqualTo(3);
        Whole.check(cluster);
    }

    private static void busy(SimulatedCluster cluster, int threads) {
        cluster.servers.all().forEach(server -> server.load = new Load(threads, threads, 100, 0, 1));
    }
}
