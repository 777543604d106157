package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RolloutTest {

    private static final String PROMOTE = MySQLCluster.GROUP + "/promote-revision";
    private static final String THREE = "size: 3\n";
    private static final String CHANGED = "size: 3\nimage: mariadb:11\n";
    private static final String SEMI_SYNC = "size: 3\nreplication: {semiSync: true}\n";
    private static final String SEMI_SYNC_CHANGED = SEMI_SYNC + "image: mariadb:11\n";

    private final SimulatedCluster cluster = SimulatedCluster.running(THREE);

    @Test
    void replaces_replicas_from_the_highest_ordinal_down_and_the_primary_last() {
        cluster.spec(CHANGED);

        cluster.settle();

        assertThat(cluster.made("delete")).containsExactly("delete db-2 #1", "delete db-1 #1", "delete db-0 #1");
        assertThat(cluster.calls.made())
                .containsSubsequence(
                        "delete db-1 #1", "makeReadOnly db-0 #1", "makeWritable db-1 #1", "delete db-0 #1");
        assertThat(cluster.status().updatedReplicas()).isEqualTo(3);
        assertThat(cluster.status().currentRevision())
                .isEqualTo(cluster.status().updateRevision());
        assertThat(cluster.told("RolloutCompleted")).isEqualTo(1);
        Whole.check(cluster);
    }

    @Test
    void the_primary_is_last_whatever_its_ordinal() {
        SimulatedCluster two = SimulatedCluster.running("size: 3\nreplication: {primaryOrdinal: 2}\n");
        two.spec(CHANGED);

        two.settle();

        assertThat(two.made("delete")).containsExactly("delete db-1 #1", "delete db-0 #1", "delete db-2 #1");
        Whole.check(two);
    }

    @Test
    void by_ordinals_alone_the_primary_hands_over_in_its_turn() {
        SimulatedCluster two = SimulatedCluster.running("size: 3\nreplication: {primaryOrdinal: 2}\n");
        two.spec(CHANGED + "updateStrategy: {type: RollingUpdate}\n");

        two.settle();

        assertThat(two.calls.made())
                .containsSubsequence("makeReadOnly db-2 #1", "makeWritable db-0 #1", "delete db-2 #1");
        assertThat(two.made("delete"))
                .startsWith("delete db-2 #1", "delete db-1 #1")
                .endsWith("delete db-0 #1");
        Whole.check(two);
    }

    @Test
    void what_a_replica_alone_has_acknowledged_is_applied_before_it_is_restarted() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.server(1).deaf = true;
        semiSync.server(2).holdsBack = true;
        semiSync.write();
        semiSync.spec(SEMI_SYNC_CHANGED);
        semiSync.reconcile();
        semiSync.node.work();
        semiSync.server(2).holdsBack = false;

        semiSync.reconcile();

        assertThat(semiSync.made("delete")).containsExactly("delete db-2 #1");
        assertThat(semiSync.server(2).rows).containsAll(semiSync.servers.acknowledged());
        semiSync.server(1).deaf = false;
        semiSync.settle();
        assertThat(semiSync.status().updatedReplicas()).isEqualTo(3);
        Whole.check(semiSync);
    }

    @Test
    void waits_for_a_replica_that_alone_has_what_it_applies() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.server(1).deaf = true;
        semiSync.server(2).holdsBack = true;
        semiSync.write();
        semiSync.spec(SEMI_SYNC_CHANGED);

        semiSync.turns(2);
        List<String> reasons = new ArrayList<>();
        semiSync.calls.passAt(call -> reasons.add(semiSync.reason(ConditionTypes.PROGRESSING)));
        semiSync.turns(10);
        assertThat(reasons).as("at any request of %s", semiSync).containsOnly("MemberDraining");
        assertThat(semiSync.made("delete")).isEmpty();
        assertThat(semiSync.reason(ConditionTypes.PROGRESSING)).isEqualTo("MemberDraining");
        assertThat(semiSync.message(ConditionTypes.PROGRESSING)).contains("db-2");
        assertThat(semiSync.server(2).has(lastAcknowledged(semiSync))).isTrue();
        semiSync.server(2).holdsBack = false;
        semiSync.server(1).deaf = false;
        semiSync.settle();

        assertThat(semiSync.status().updatedReplicas()).isEqualTo(3);
        Whole.check(semiSync);
    }

    @Test
    void restarts_a_replica_that_takes_long_to_apply_what_another_one_has() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.server(2).holdsBack = true;
        semiSync.write();
        semiSync.pass();
        semiSync.spec(SEMI_SYNC_CHANGED);

        semiSync.until(() -> !semiSync.made("delete").isEmpty());

        assertThat(semiSync.made("delete")).containsExactly("delete db-2 #1");
        semiSync.server(2).holdsBack = false;
        semiSync.settle();
        Whole.check(semiSync);
    }

    /** Its Pod was ready all along, and the primary may be lost with its volume at any moment. */
    @Test
    void a_replica_that_only_the_operator_cannot_reach_is_not_restarted_where_it_may_have_what_no_other_replica_has() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.server(1).deaf = true;
        semiSync.server(2).holdsBack = true;
        semiSync.server(2).cutOff = true;
        semiSync.write();
        semiSync.spec(SEMI_SYNC_CHANGED);

        semiSync.turns(10);
        assertThat(semiSync.made("delete")).isEmpty();
        assertThat(semiSync.reason(ConditionTypes.PROGRESSING)).isEqualTo("MemberDraining");
        assertThat(semiSync.message(ConditionTypes.PROGRESSING)).contains("db-2 does not answer", "delete its Pod");
        assertThat(semiSync.server(2).has(lastAcknowledged(semiSync))).isTrue();
        semiSync.server(2).cutOff = false;
        semiSync.server(2).holdsBack = false;
        semiSync.server(1).deaf = false;
        semiSync.settle();

        assertThat(semiSync.status().updatedReplicas()).isEqualTo(3);
        Whole.check(semiSync);
    }

    @Test
    void a_replica_that_only_the_operator_cannot_reach_is_restarted_once_another_one_has_all() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.server(1).deaf = true;
        semiSync.server(2).cutOff = true;
        semiSync.write();
        semiSync.spec(SEMI_SYNC_CHANGED);
        semiSync.turns(3);
        assertThat(semiSync.made("delete")).isEmpty();

        semiSync.server(1).deaf = false;
        semiSync.until(() -> !semiSync.made("delete").isEmpty());

        assertThat(semiSync.made("delete")).containsExactly("delete db-2 #1");
        semiSync.server(2).cutOff = false;
        semiSync.settle();
        assertThat(semiSync.status().updatedReplicas()).isEqualTo(3);
        Whole.check(semiSync);
    }

    @Test
    void a_replica_that_is_known_to_be_down_is_restarted_though_nobody_has_all() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.node.kill("db-2");
        semiSync.server(1).deaf = true;
        semiSync.write();
        semiSync.spec(SEMI_SYNC_CHANGED);

        semiSync.until(() -> !semiSync.made("delete").isEmpty());

        assertThat(semiSync.made("delete")).containsExactly("delete db-2 #1");
        semiSync.server(1).deaf = false;
        semiSync.node.bringBack("db-2");
        semiSync.settle();
        Whole.check(semiSync);
    }

    @Test
    void waits_until_the_one_before_is_well_again() {
        cluster.spec(CHANGED);
        cluster.until(() -> cluster.made("delete").size() == 1);
        cluster.node.kill("db-2");

        cluster.turns(20);
        assertThat(cluster.made("delete")).hasSize(1);
        cluster.node.bringBack("db-2");
        cluster.server(2).lag = Duration.ofSeconds(31);
        cluster.turns(20);
        assertThat(cluster.made("delete")).hasSize(1);
        cluster.server(2).lag = Duration.ZERO;
        cluster.settle();

        assertThat(cluster.status().updatedReplicas()).isEqualTo(3);
    }

    @Test
    void says_that_it_has_stalled_and_goes_on_where_the_spec_is_changed_back() {
        cluster.spec(CHANGED);
        cluster.until(() -> cluster.made("delete").size() == 1);
        cluster.node.kill("db-2");

        cluster.turns(4);
        cluster.context.advance(Duration.ofMinutes(5));
        cluster.turns(2);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("RolloutStalled");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("db-2", "change the spec back");
        cluster.spec(THREE);
        cluster.turns(3);
        cluster.node.bringBack("db-2");
        cluster.settle();

        assertThat(cluster.made("delete")).containsExactly("delete db-2 #1", "delete db-2 #2");
        Whole.check(cluster);
    }

    @Test
    void an_exporter_that_cannot_be_pulled_costs_one_replica_and_never_the_primary() {
        cluster.spec(THREE + "metrics: {exporter: {image: '" + SimulatedNode.MISSING_IMAGE + "'}}\n");
        cluster.until(() -> cluster.made("delete").size() == 1);

        cluster.turns(4);
        cluster.context.advance(Duration.ofMinutes(5));
        cluster.turns(20);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("RolloutStalled");
        assertThat(cluster.made("delete")).containsExactly("delete db-2 #1");
        assertThat(cluster.writable()).containsExactly("db-0");
        cluster.spec(THREE);
        cluster.settle();

        assertThat(cluster.made("delete")).containsExactly("delete db-2 #1", "delete db-2 #2");
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEmpty();
        Whole.check(cluster);
    }

    @Test
    void a_primary_that_serves_stays_it_though_a_container_beside_it_has_ended() {
        cluster.node.endSidecar("db-0");

        cluster.turns(30);

        assertThat(cluster.writable()).containsExactly("db-0");
        assertThat(cluster.status().failover().count()).isZero();
        assertThat(cluster.made("delete")).isEmpty();
    }

    @Test
    void says_at_once_that_it_has_stalled_when_a_replica_cannot_apply_and_goes_on_once_it_is_mended() {
        cluster.spec(CHANGED);
        cluster.until(() -> cluster.made("delete").size() == 1);
        cluster.pass();
        cluster.reconcile();
        Link link = cluster.server(2).link;
        assertThat(link).isNotNull();
        link.sqlRunning = false;
        link.sqlErrno = 1062;

        cluster.turns(10);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("RolloutStalled");
        assertThat(cluster.told("RolloutStalled")).isEqualTo(1);
        assertThat(cluster.made("delete")).hasSize(1);
        link.sqlRunning = true;
        link.sqlErrno = 0;
        cluster.settle();

        assertThat(cluster.status().updatedReplicas()).isEqualTo(3);
        Whole.check(cluster);
    }

    @Test
    void on_delete_nobody_is_restarted() {
        cluster.spec(CHANGED + "updateStrategy: {type: OnDelete}\n");

        cluster.settle();

        assertThat(cluster.made("delete")).isEmpty();
        assertThat(cluster.status().updatedReplicas()).isZero();
    }

    @Test
    void paused_nobody_is_restarted_until_it_goes_on() {
        cluster.spec(CHANGED + "updateStrategy: {paused: true}\n");
        cluster.turns(5);
        assertThat(cluster.made("delete")).isEmpty();

        cluster.spec(CHANGED);
        cluster.settle();

        assertThat(cluster.status().updatedReplicas()).isEqualTo(3);
    }

    @Test
    void stops_at_the_partition() {
        cluster.spec(CHANGED + "updateStrategy: {partition: 2}\n");

        cluster.settle();

        assertThat(cluster.made("delete")).containsExactly("delete db-2 #1");
        assertThat(cluster.status().updatedReplicas()).isEqualTo(1);
        assertThat(cluster.status().currentRevision())
                .isNotEqualTo(cluster.status().updateRevision());
    }

    @Test
    void holds_at_the_canary_until_its_revision_is_promoted() {
        cluster.spec(CHANGED + "updateStrategy: {canary: {replicas: 1}}\n");

        cluster.turns(30);
        assertThat(cluster.made("delete")).containsExactly("delete db-2 #1");
        assertThat(cluster.told("CanaryPaused")).isEqualTo(1);
        cluster.annotate(PROMOTE, "another");
        cluster.turns(5);
        assertThat(cluster.made("delete")).hasSize(1);
        cluster.annotate(PROMOTE, String.valueOf(cluster.status().updateRevision()));
        cluster.settle();

        assertThat(cluster.status().updatedReplicas()).isEqualTo(3);
        Whole.check(cluster);
    }

    @Test
    void goes_on_by_itself_once_the_canary_was_watched_long_enough() {
        cluster.spec(CHANGED + "updateStrategy: {canary: {replicas: 1, pauseSeconds: 30, autoPromote: true}}\n");

        cluster.turns(25);
        assertThat(cluster.made("delete")).hasSize(1);
        cluster.turns(15);
        assertThat(cluster.made("delete")).hasSizeGreaterThan(1);
        cluster.settle();

        assertThat(cluster.status().updatedReplicas()).isEqualTo(3);
    }

    @Test
    void a_failover_while_the_canary_is_watched_promotes_nothing_and_the_canary_stays_what_it_is() {
        String spec = "size: 3\nreplication: {semiSync: true}\nfailover: {delaySeconds: 2}\n";
        SimulatedCluster semiSync = SimulatedCluster.running(spec);
        semiSync.spec(spec + "image: mariadb:11\nupdateStrategy: {canary: {replicas: 1}}\n");
        semiSync.turns(20);
        assertThat(semiSync.made("delete")).containsExactly("delete db-2 #1");
        String canary = semiSync.status().updateRevision();

        semiSync.node.kill("db-0", Duration.ofSeconds(8));
        semiSync.until(() -> semiSync.status().failover().phase() == FailoverPhase.Completed);
        semiSync.turns(30);

        // The old primary's Pod was fenced by being deleted, and has come back as the StatefulSet has it now.
        assertThat(semiSync.made("delete")).containsExactly("delete db-2 #1", "delete db-0 within PT2S #1");
        assertThat(semiSync.status().currentPrimary()).isEqualTo("db-1");
        assertThat(semiSync.status().failover().count()).isEqualTo(1);
        assertThat(semiSync.status().updatedReplicas()).isEqualTo(2);
        assertThat(semiSync.status().currentRevision()).isNotEqualTo(canary);
        semiSync.annotate(PROMOTE, String.valueOf(canary));
        semiSync.settle();

        assertThat(semiSync.status().currentRevision()).isEqualTo(canary);
        assertThat(semiSync.told("RolloutCompleted")).isEqualTo(1);
        Whole.check(semiSync);
    }

    @Test
    void a_canary_that_does_not_start_is_taken_back_when_the_spec_is_changed_back() {
        String canary = "updateStrategy: {canary: {replicas: 1}}\n";
        cluster.spec(CHANGED + canary);
        cluster.until(() -> cluster.made("delete").size() == 1);
        cluster.node.kill("db-2");
        cluster.turns(20);

        cluster.spec(THREE + canary);
        cluster.turns(5);
        assertThat(cluster.made("delete")).containsExactly("delete db-2 #1", "delete db-2 #2");
        cluster.node.bringBack("db-2");
        cluster.settle();

        assertThat(cluster.status().updatedReplicas()).isEqualTo(3);
    }

    @Test
    void a_canary_is_taken_back_when_the_spec_is_changed_back() {
        String canary = "updateStrategy: {canary: {replicas: 1}}\n";
        cluster.spec(CHANGED + canary);
        cluster.turns(20);

        cluster.spec(THREE + canary);
        cluster.settle();

        assertThat(cluster.made("delete")).containsExactly("delete db-2 #1", "delete db-2 #2");
        assertThat(cluster.status().updatedReplicas()).isEqualTo(3);
        Whole.check(cluster);
    }

    @Test
    void a_primary_that_is_asked_for_is_updated_like_any_other_and_is_the_primary_again() {
        String asked = "replication: {primaryOrdinal: 2}\n";
        SimulatedCluster three = SimulatedCluster.running(THREE + asked);

        three.spec(CHANGED + asked);
        three.settle();

        assertThat(three.status().updatedReplicas()).isEqualTo(3);
        assertThat(three.status().currentPrimary()).isEqualTo("db-2");
        assertThat(three.told("SwitchoverCompleted")).isEqualTo(2);
        Whole.check(three);
    }

    private static Transaction lastAcknowledged(SimulatedCluster cluster) {
        return cluster.servers.acknowledged().stream()
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }
}
