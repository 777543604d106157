package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.sql.Disk;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberRole;
import io.busbar.operator.mysqlcluster.v1alpha1.MemberStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is kept as it is, and what is told of it. */
class UpkeepTest {

    private final SimulatedCluster cluster = SimulatedCluster.running("size: 3\n");

    @Test
    void a_primary_whose_writes_all_wait_is_not_called_available() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {semiSync: true}\n");
        cluster.node.kill("db-1");
        cluster.turns(3);
        assertThat(cluster.reason(ConditionTypes.AVAILABLE)).isEqualTo("PrimaryServes");

        cluster.node.kill("db-2");
        cluster.turns(3);
        assertThat(cluster.reason(ConditionTypes.AVAILABLE)).isEmpty();
        assertThat(cluster.message(ConditionTypes.AVAILABLE)).contains("no replica acknowledges");

        cluster.node.bringBack("db-1");
        cluster.turns(3);
        assertThat(cluster.reason(ConditionTypes.AVAILABLE)).isEqualTo("PrimaryServes");
    }

    @Test
    void a_primary_that_too_few_replicas_acknowledge_is_not_called_available() {
        SimulatedCluster cluster =
                SimulatedCluster.running("size: 4\nreplication: {semiSync: true, acknowledgements: 2}\n");
        cluster.node.kill("db-1");
        cluster.turns(3);
        assertThat(cluster.reason(ConditionTypes.AVAILABLE)).isEqualTo("PrimaryServes");
        int acknowledged = cluster.servers.acknowledged().size();

        cluster.node.kill("db-2");
        cluster.turns(3);
        assertThat(cluster.servers.acknowledged()).hasSizeLessThan(acknowledged + 3);
        assertThat(cluster.reason(ConditionTypes.AVAILABLE)).isEmpty();
        assertThat(cluster.message(ConditionTypes.AVAILABLE)).contains("fewer than 2 replicas acknowledge");
    }

    private static Disk disk(int free) {
        long gibibyte = 1L << 30;
        return new Disk(1000 * gibibyte, free * gibibyte);
    }

    @Test
    void a_primary_takes_no_writes_from_before_its_disk_is_full_until_there_is_clearly_more_room() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 2\nstorage: {readOnlyBelowPercent: 10}\n");
        cluster.server(0).disk = disk(100);
        cluster.turns(2);
        assertThat(cluster.writable()).containsExactly("db-0");

        cluster.server(0).disk = disk(99);
        cluster.turns(5);
        assertThat(cluster.writable()).isEmpty();
        assertThat(cluster.role(0)).isEqualTo("primary");
        assertThat(cluster.status().phase()).isEqualTo("WritesHeld");
        assertThat(cluster.message(ConditionTypes.PRIMARY_READY)).contains("db-0 takes no writes", "10 %");
        assertThat(cluster.told("DiskNearlyFull")).isEqualTo(1);

        cluster.newOperator();
        cluster.server(0).disk = disk(149);
        cluster.turns(3);
        assertThat(cluster.writable()).isEmpty();

        cluster.server(0).disk = disk(150);
        cluster.settle();
        assertThat(cluster.writable()).containsExactly("db-0");
        assertThat(cluster.told("FailoverStarted")).isZero();
        Whole.check(cluster);
    }

    @Test
    void a_disk_that_is_nearly_full_stops_nobody_who_has_not_asked_for_that() {
        cluster.server(0).disk = disk(1);
        cluster.turns(3);

        assertThat(cluster.writable()).containsExactly("db-0");
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("DiskFull");
    }

    @Test
    void of_two_writable_members_the_one_in_the_status_stays() {
        cluster.server(2).readOnly = false;

        cluster.reconcile();

        assertThat(cluster.writable()).containsExactly("db-0");
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.reason(ConditionTypes.SPLIT_BRAIN)).isEqualTo("TwoWritable");
        assertThat(cluster.told("SplitBrain")).isEqualTo(1);
        cluster.turns(3);
        assertThat(cluster.reason(ConditionTypes.SPLIT_BRAIN)).isEmpty();
        assertThat(cluster.told("SplitBrain")).isEqualTo(1);
        assertThat(cluster.told("MemberDiverged")).isZero();
    }

    @Test
    void that_a_second_writable_member_does_not_become_read_only_is_told_until_it_does() {
        cluster.server(2).readOnly = false;
        cluster.calls.breakAt("makeReadOnly db-2 #1", Calls.Fault.NOT_DONE);

        cluster.reconcile();

        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("SplitBrain");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).startsWith("db-2 cannot be made read-only");
        assertThat(cluster.told("SplitBrain")).isZero();
        cluster.reconcile();
        assertThat(cluster.told("SplitBrain")).isEqualTo(1);
        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void why_the_primary_does_not_become_writable_is_told() {
        cluster.server(0).readOnly = true;
        cluster.calls.breakAt("makeWritable db-0 #1", Calls.Fault.NOT_DONE);

        cluster.reconcile();

        assertThat(cluster.message(ConditionTypes.PRIMARY_READY)).startsWith("db-0 cannot be made writable");
        assertThat(cluster.status().phase()).isEqualTo("PrimaryAway");
    }

    @Test
    void one_that_follows_from_the_beginning_is_given_no_copy_because_it_has_not_applied_anything_yet() {
        SimulatedCluster fresh = new SimulatedCluster("size: 2\n");
        fresh.until(() -> fresh.status().currentPrimary() != null);
        fresh.server(1).holdsBack = true;

        fresh.turns(5);
        assertThat(fresh.server(0).rows).isNotEmpty();
        assertThat(fresh.server(1).state().isBlank()).isTrue();
        assertThat(fresh.made("erase")).isEmpty();
        fresh.server(1).holdsBack = false;
        fresh.settle();

        assertThat(fresh.made("create db-clone")).isEmpty();
        Whole.check(fresh);
    }

    @Test
    void each_member_is_looked_at_in_one_session_also_for_its_disk_and_its_load() {
        SimulatedCluster scaled =
                SimulatedCluster.running("size: 3\nautoscaling: {enabled: true, minReplicas: 3, target: 1}\n");
        scaled.turns(3);
        int before = scaled.servers.sessions();

        scaled.reconcile();

        assertThat(scaled.servers.sessions() - before).isEqualTo(3);
        assertThat(scaled.status().targetSize()).isEqualTo(3);
    }

    @Test
    void one_that_was_written_to_beside_the_primary_is_given_a_copy() {
        cluster.server(2).readOnly = false;
        Transaction stray = cluster.server(2).write();

        cluster.settle();

        assertThat(cluster.told("MemberDiverged")).isEqualTo(1);
        assertThat(cluster.told("MemberRecloned")).isEqualTo(1);
        assertThat(cluster.server(2).rows).doesNotContain(stray);
        Whole.check(cluster);
    }

    @Test
    void a_primary_that_somebody_made_read_only_is_made_writable() {
        cluster.server(0).readOnly = true;

        cluster.turns(2);

        assertThat(cluster.writable()).containsExactly("db-0");
    }

    @Test
    void a_primary_that_was_told_to_follow_follows_nobody() {
        cluster.server(0).follow(SimulatedCluster.endpoint(1), cluster.password("replication-password"), false);

        cluster.settle();

        Whole.check(cluster);
    }

    @Test
    void a_replica_that_restarts_goes_on_where_it_was() {
        cluster.node.kill("db-2", Duration.ofSeconds(3));

        cluster.turns(5);
        cluster.settle();

        assertThat(cluster.made("create")).isEmpty();
        Whole.check(cluster);
    }

    @Test
    void one_that_has_nothing_while_the_primary_has_something_is_given_a_copy() {
        cluster.server(1).lose();

        cluster.settle();

        assertThat(cluster.made("create db-clone-1")).hasSize(1);
        assertThat(cluster.told("MemberDiverged")).isZero();
        Whole.check(cluster);
    }

    @Test
    void a_member_that_seems_to_fit_is_left_alone_while_it_is_given_a_copy() {
        cluster.server(1).lose();
        cluster.node.holdJobs(true);
        cluster.turns(2);
        assertThat(cluster.made("create db-clone-1")).hasSize(1);
        cluster.calls.forget();
        // As with a dump that begins with its position, while the rest of it is loaded.
        cluster.server(1).erase();
        cluster.server(1).standAt(cluster.server(0).history().text());

        cluster.turns(3);
        assertThat(cluster.made("follow db-1")).isEmpty();
        assertThat(cluster.server(1).link).isNull();
        assertThat(cluster.status().phase()).isEqualTo("Cloning");
        cluster.node.holdJobs(false);
        cluster.settle();

        assertThat(cluster.made("seed db-1")).hasSize(1);
        Whole.check(cluster);
    }

    @Test
    void a_copy_that_fails_is_tried_again_after_a_while() {
        cluster.server(1).lose();
        cluster.node.failJobs(true);

        cluster.turns(10);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("CloneFailed");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("cannot connect");
        cluster.node.failJobs(false);
        cluster.settle();

        assertThat(cluster.told("CloneFailed")).isEqualTo(1);
        assertThat(cluster.made("create db-clone-1")).hasSize(2);
        Whole.check(cluster);
    }

    @Test
    void the_status_is_not_written_for_positions_alone_but_every_half_minute() {
        cluster.turns(2);
        int before = cluster.context.statuses().size();
        String position = cluster.status().members().get(0).gtid();

        cluster.turns(25);
        assertThat(cluster.context.statuses().size()).isEqualTo(before);
        assertThat(cluster.status().members().get(0).gtid()).isEqualTo(position);
        cluster.turns(10);

        assertThat(cluster.context.statuses().size()).isEqualTo(before + 1);
        assertThat(cluster.status().members().get(0).gtid()).isNotEqualTo(position);
    }

    @Test
    void a_replica_that_lags_is_not_read_from() {
        cluster.server(2).lag = Duration.ofSeconds(31);

        cluster.reconcile();

        assertThat(cluster.role(2)).isEmpty();
        assertThat(cluster.role(1)).isEqualTo("replica");
        assertThat(cluster.status().readyReplicas()).isEqualTo(2);
        assertThat(member(2).lagSeconds()).isEqualTo(31);
    }

    @Test
    void a_replica_that_is_down_acknowledges_nothing_any_more() {
        cluster.node.kill("db-2");

        cluster.turns(1);

        assertThat(member(2).role()).isEqualTo(MemberRole.Unreachable);
        assertThat(member(2).ioRunning()).isFalse();
    }

    @Test
    void a_replica_that_only_the_operator_cannot_reach_may_acknowledge() {
        cluster.server(2).cutOff = true;

        cluster.turns(2);

        assertThat(member(2).role()).isEqualTo(MemberRole.Unreachable);
        assertThat(member(2).ioRunning()).isTrue();
    }

    @Test
    void who_could_acknowledge_is_not_judged_while_the_primary_is_away() {
        cluster.node.kill("db-0");
        cluster.node.kill("db-2");

        cluster.turns(3);

        assertThat(member(2).ioRunning()).isTrue();
    }

    @Test
    void nothing_is_touched_while_it_is_paused() {
        cluster.spec("size: 3\npaused: true\n");
        cluster.turns(1);
        cluster.calls.forget();
        cluster.server(2).readOnly = false;

        cluster.turns(5);

        assertThat(cluster.calls.made()).isEmpty();
        assertThat(cluster.status().phase()).isEqualTo("Paused");
    }

    private MemberStatus member(int ordinal) {
        return cluster.status().members().get(ordinal);
    }
}
