package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import io.busbar.sandbox.faults.Fault;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailoverTest {

    private static final String DELAY = "size: 3\nfailover: {delaySeconds: 5}\n";
    private static final String SEMI_SYNC = DELAY + "replication: {semiSync: true}\n";

    private final SimulatedCluster cluster = SimulatedCluster.running(DELAY);

    @Test
    void takes_no_less_and_little_more_than_the_delay() {
        Instant killed = cluster.context.clock().instant();
        cluster.node.kill("db-0");

        cluster.turns(1);
        assertThat(cluster.status().primaryFailingSince()).isEqualTo(killed.toString());
        cluster.until(() -> "db-1".equals(cluster.status().currentPrimary()));

        assertThat(Duration.between(killed, cluster.context.clock().instant())).isEqualTo(Duration.ofSeconds(5));
        assertThat(cluster.status().primaryFailingSince()).isNull();
    }

    @Test
    void is_not_held_up_by_a_budget_that_cannot_be_applied() {
        List<PodDisruptionBudget> budgets = cluster.context.list(PodDisruptionBudget.class);
        assertThat(budgets).hasSize(1);
        budgets.forEach(cluster.context::remove);
        cluster.context.inject(
                Fault.on("create", "poddisruptionbudgets.policy").refused(403).times(1000));
        cluster.context.inject(
                Fault.on("patch", "poddisruptionbudgets.policy").refused(403).times(1000));
        cluster.newOperator();
        cluster.node.kill("db-0");

        cluster.until(() -> "db-1".equals(cluster.status().currentPrimary()));
        assertThat(cluster.context.list(PodDisruptionBudget.class)).isEmpty();
    }

    @Test
    void counts_the_delay_anew_when_the_primary_was_back_meanwhile() {
        cluster.node.kill("db-0", Duration.ofSeconds(3));
        cluster.turns(5);
        cluster.node.kill("db-0", Duration.ofSeconds(4));

        cluster.turns(10);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.told("FailoverStarted")).isZero();
        assertThat(cluster.writable()).containsExactly("db-0");
    }

    @Test
    void leaves_a_primary_alone_whose_Pod_is_ready() {
        cluster.server(0).cutOff = true;

        cluster.turns(20);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.message(ConditionTypes.PRIMARY_READY))
                .contains("does not answer, although its Pod is ready");
        assertThat(cluster.role(0)).isEqualTo("primary");
    }

    @Test
    void replaces_a_primary_that_answers_neither_the_operator_nor_its_replicas_although_its_Pod_is_ready() {
        cluster.server(0).silent = true;
        Instant silent = cluster.context.clock().instant();

        cluster.until(() -> "db-1".equals(cluster.status().currentPrimary()));

        assertThat(Duration.between(silent, cluster.context.clock().instant())).isLessThan(Duration.ofSeconds(8));
        assertThat(cluster.role(1)).isEqualTo("primary");
        assertThat(cluster.events).anySatisfy(event -> assertThat(event).contains("FailoverStarted"));
    }

    @Test
    void leaves_a_primary_alone_whose_Pod_is_ready_and_that_some_replica_still_follows() {
        cluster.server(0).cutOff = true;
        cluster.server(1).lostSource = true;

        cluster.turns(20);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.told("FailoverStarted")).isZero();
    }

    @Test
    void a_replica_that_is_away_is_no_witness_that_the_primary_is_away() {
        cluster.server(0).cutOff = true;
        cluster.server(1).lostSource = true;
        cluster.node.kill("db-2");

        cluster.turns(20);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.told("FailoverStarted")).isZero();
    }

    @Test
    void a_primary_that_hung_is_read_only_again_before_anybody_can_write_to_it() {
        cluster.server(0).silent = true;
        cluster.until(() -> "db-1".equals(cluster.status().currentPrimary()));
        cluster.server(0).silent = false;

        cluster.settle();

        assertThat(cluster.writable()).containsExactly("db-1");
        assertThat(cluster.server(0).rows).containsAll(cluster.server(1).rows);
    }

    @Test
    void leaves_a_primary_alone_that_answers_over_SQL() {
        cluster.node.lose("db-0");
        cluster.server(0).cutOff = false;

        cluster.turns(20);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.status().primaryFailingSince()).isNull();
    }

    @Test
    void asks_the_primary_once_more_before_it_begins() {
        cluster.node.lose("db-0");
        cluster.turns(5);
        cluster.server(0).cutOff = false;
        cluster.server(0).refusals = 1;

        cluster.turns(3);

        assertThat(cluster.server(0).refusals).isZero();
        assertThat(cluster.told("FailoverStarted")).isZero();
        assertThat(cluster.status().failover().phase()).isNull();
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
    }

    @Test
    void fences_the_old_primary_before_it_promotes_and_leads_clients_there_before_the_others_follow() {
        cluster.node.kill("db-0", Duration.ofSeconds(8));

        cluster.until(() -> cluster.status().failover().phase() == FailoverPhase.Completed);

        assertThat(cluster.calls.made())
                .containsSubsequence(
                        "PATCH pods/db-0 {\"metadata\":{\"labels\":{\"mysqlcluster_role\":null}}} #1",
                        "makeReadOnly db-0 #1",
                        "delete db-0 within PT2S #1",
                        "stopFollowing db-1 #1",
                        "acknowledgeByReplicas db-1 #1",
                        "makeWritable db-1 #1",
                        "PATCH pods/db-1 {\"metadata\":{\"labels\":{\"mysqlcluster_role\":\"primary\"}}} #1",
                        "follow db-2 #1");
        assertThat(cluster.status().failover().from()).isEqualTo("db-0");
        assertThat(cluster.status().failover().count()).isEqualTo(1);
    }

    @Test
    void makes_an_old_primary_read_only_that_can_be_asked_again_and_ends_its_clients() {
        cluster.node.lose("db-0");
        cluster.turns(5);
        cluster.server(0).refusals = 2;
        cluster.server(0).cutOff = false;

        cluster.reconcile();

        assertThat(cluster.server(0).readOnly).isTrue();
        assertThat(cluster.server(0).connected).isFalse();
    }

    @Test
    void chooses_the_most_advanced() {
        cluster.server(1).deaf = true;
        cluster.pass();
        cluster.node.kill("db-0", Duration.ofSeconds(9));

        cluster.until(() -> cluster.status().failover().phase() == FailoverPhase.Completed);
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
        cluster.server(1).deaf = false;

        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void of_several_that_have_the_same_chooses_the_lowest_ordinal() {
        cluster.node.kill("db-0");

        cluster.until(() -> cluster.status().failover().phase() == FailoverPhase.Completed);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-1");
    }

    @Test
    void chooses_nobody_before_all_that_was_received_is_applied() {
        cluster.server(2).holdsBack = true;
        cluster.server(1).deaf = true;
        cluster.pass();
        cluster.node.kill("db-0", Duration.ofSeconds(40));

        cluster.turns(15);
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("db-2: it is still applying what it received");
        cluster.server(2).holdsBack = false;
        cluster.server(1).deaf = false;
        cluster.turns(1);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void never_chooses_one_with_transactions_of_its_own_however_many() {
        for (int i = 0; i < 50; i++) {
            cluster.server(1).write();
        }
        cluster.node.kill("db-0", Duration.ofSeconds(8));

        cluster.until(() -> cluster.status().failover().phase() == FailoverPhase.Completed);
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
        cluster.settle();

        assertThat(cluster.told("MemberDiverged")).isEqualTo(1);
        Whole.check(cluster);
    }

    @Test
    void chooses_nobody_rather_than_one_that_has_diverged() {
        cluster.server(1).write();
        cluster.server(2).write();
        cluster.node.kill("db-0");

        cluster.turns(15);

        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("NoFailoverCandidate");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("db-1: it has diverged", "db-2: it has diverged");
        assertThat(cluster.writable()).isEmpty();
    }

    @Test
    void never_chooses_one_that_cannot_apply() {
        Link link = cluster.server(1).link;
        assertThat(link).isNotNull();
        link.sqlRunning = false;
        link.sqlErrno = 1062;
        cluster.node.kill("db-0");

        cluster.until(() -> cluster.status().failover().phase() == FailoverPhase.Completed);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
    }

    @Test
    void does_not_mind_that_candidates_cannot_connect_to_the_primary() {
        cluster.node.kill("db-0");
        cluster.turns(2);
        assertThat(cluster.server(1).state().replication().orElseThrow().ioErrno())
                .isEqualTo(2003);

        cluster.until(() -> cluster.status().failover().phase() == FailoverPhase.Completed);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-1");
    }

    @Test
    void forces_nobody_and_says_so_once_until_the_primary_is_back() {
        List.of("db-0", "db-1", "db-2").forEach(cluster.node::kill);

        cluster.turns(30);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("NoFailoverCandidate");
        assertThat(cluster.told("FailoverFailed")).isEqualTo(1);
        assertThat(cluster.status().failover().phase()).isNull();
        List.of("db-0", "db-1", "db-2").forEach(cluster.node::bringBack);
        cluster.settle();

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEmpty();
        Whole.check(cluster);
    }

    @Test
    void does_nothing_where_it_is_switched_off() {
        cluster.spec("size: 3\nfailover: {delaySeconds: 5, enabled: false}\n");
        cluster.node.kill("db-0");

        cluster.turns(15);

        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("FailoverDisabled");
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.made("delete")).isEmpty();
    }

    @Test
    void with_semi_sync_waits_for_a_member_that_may_have_acknowledged_what_the_others_lack() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.turns(3);
        semiSync.node.kill("db-2");
        semiSync.node.kill("db-0");

        semiSync.turns(20);
        assertThat(semiSync.reason(ConditionTypes.DEGRADED)).isEqualTo("NoFailoverCandidate");
        assertThat(semiSync.message(ConditionTypes.DEGRADED))
                .contains("db-2: it is away and may have acknowledged writes that db-1 does not have: bring it back");
        semiSync.node.bringBack("db-2");
        semiSync.turns(10);
        assertThat(semiSync.message(ConditionTypes.DEGRADED))
                .contains(
                        "db-2: it was restarted and may have lost writes that it had acknowledged and not applied: bring"
                                + " db-0 back");
        assertThat(semiSync.writable()).isEmpty();
        semiSync.node.bringBack("db-0");
        semiSync.settle();

        assertThat(semiSync.status().currentPrimary()).isEqualTo("db-0");
        Whole.check(semiSync);
    }

    /** Whether the next turn sees that it is back, or that it is away. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void with_semi_sync_nobody_stands_in_for_a_chosen_one_that_loses_its_volume_before_it_is_opened(int secondsAway) {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        SimulatedServer chosen = semiSync.server(1);
        semiSync.server(2).deaf = true;
        semiSync.pass();
        semiSync.node.kill("db-0");
        semiSync.calls.breakAt("makeWritable db-1 #1", Calls.Fault.CRASH);
        semiSync.until(() -> semiSync.status().failover().phase() == FailoverPhase.Promoting);
        semiSync.node.kill(chosen.pod, Duration.ofSeconds(secondsAway));
        chosen.lose();
        semiSync.pass();
        semiSync.server(2).deaf = false;

        semiSync.turns(20);
        assertThat(semiSync.writable()).as("%s", semiSync).doesNotContain("db-1", "db-2");
        assertThat(semiSync.message(ConditionTypes.DEGRADED))
                .contains("db-1: it has lost what it was chosen for; bring db-0 back");
        semiSync.node.bringBack("db-0");
        semiSync.settle();

        assertThat(semiSync.status().currentPrimary()).isEqualTo("db-0");
        Whole.check(semiSync);
    }

    @Test
    void with_semi_sync_does_not_wait_for_a_member_that_was_away_before_the_primary() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.turns(3);
        semiSync.node.kill("db-2");
        semiSync.turns(3);
        semiSync.node.kill("db-0");

        semiSync.turns(8);

        assertThat(semiSync.status().currentPrimary()).isEqualTo("db-1");
        assertThat(semiSync.servers.of("db-1").rows).containsAll(semiSync.servers.acknowledged());
    }

    @Test
    void with_semi_sync_keeps_what_a_primary_acknowledges_that_only_the_operator_and_its_kubelet_cannot_reach() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.turns(3);
        int before = semiSync.servers.acknowledged().size();
        semiSync.node.lose("db-0");

        semiSync.turns(2);
        assertThat(semiSync.servers.acknowledged()).hasSizeGreaterThan(before);
        semiSync.until(() -> semiSync.status().failover().phase() == FailoverPhase.Completed);
        semiSync.turns(3);
        semiSync.node.bringBack("db-0");
        semiSync.settle();

        Whole.check(semiSync);
    }

    @Test
    void with_semi_sync_waits_for_a_member_that_only_the_operator_and_its_kubelet_could_not_reach() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.turns(3);
        semiSync.node.lose("db-2");
        semiSync.turns(3);
        semiSync.server(1).deaf = true;
        semiSync.pass();
        semiSync.node.kill("db-0");
        semiSync.server(1).deaf = false;

        semiSync.turns(12);
        assertThat(semiSync.message(ConditionTypes.DEGRADED))
                .contains("db-2: it is away and may have acknowledged writes that db-1 does not have: bring it back");
        assertThat(semiSync.writable()).isEmpty();
        semiSync.node.bringBack("db-2");
        semiSync.turns(3);

        assertThat(semiSync.status().currentPrimary()).isEqualTo("db-2");
        assertThat(semiSync.servers.of("db-2").rows).containsAll(semiSync.servers.acknowledged());
    }

    @Test
    void does_not_need_the_Secret_of_root_which_only_new_servers_do() {
        SimulatedCluster own = new SimulatedCluster(DELAY + "rootSecretRef: {name: mine}\n");
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName("mine")
                .withNamespace("default")
                .endMetadata()
                .withData(Map.of("root-password", "c2VjcmV0"))
                .build();
        own.context.put(secret);
        own.settle();
        own.context.remove(secret);
        own.newOperator();
        own.node.kill("db-0");

        own.until(() -> own.status().failover().phase() == FailoverPhase.Completed);

        assertThat(own.status().currentPrimary()).isEqualTo("db-1");
        own.turns(1);
        assertThat(own.reason(ConditionTypes.DEGRADED)).isEqualTo("MissingPassword");
        own.context.put(secret);
        own.node.bringBack("db-0");
        own.settle();
        Whole.check(own);
    }

    @Test
    void says_what_helps_when_both_replicas_were_restarted_and_the_primary_is_gone() {
        cluster.node.kill("db-1", Duration.ofSeconds(1));
        cluster.node.kill("db-2", Duration.ofSeconds(1));
        cluster.node.kill("db-0");

        cluster.turns(15);

        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("NoFailoverCandidate");
        assertThat(cluster.message(ConditionTypes.DEGRADED))
                .contains("db-1: it has followed nobody since it was started")
                .endsWith("; bring db-0 back, or, if what it had is lost for good, make a new cluster of a backup by"
                        + " spec.bootstrapFrom");
        assertThat(cluster.writable()).isEmpty();
    }

    @Test
    void with_semi_sync_waits_for_a_replica_that_received_what_it_cannot_apply() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.turns(3);
        Link link = semiSync.server(2).link;
        assertThat(link).isNotNull();
        link.sqlRunning = false;
        link.sqlErrno = 1062;
        semiSync.server(1).deaf = true;
        semiSync.pass();
        semiSync.server(1).deaf = false;
        semiSync.node.kill("db-0");

        semiSync.turns(12);

        assertThat(semiSync.status().currentPrimary()).isEqualTo("db-0");
        assertThat(semiSync.message(ConditionTypes.DEGRADED))
                .contains("db-2: it acknowledged writes that db-1 does not have, and does not apply them: repair it");
    }

    @Test
    void lets_a_primary_stay_that_is_back_before_anybody_was_promoted() {
        SimulatedCluster semiSync = SimulatedCluster.running(SEMI_SYNC);
        semiSync.turns(3);
        semiSync.node.kill("db-0");
        semiSync.turns(4);
        semiSync.node.kill("db-2");
        semiSync.turns(4);
        assertThat(semiSync.status().failover().phase()).isEqualTo(FailoverPhase.Electing);

        semiSync.node.bringBack("db-0");
        semiSync.turns(4);
        assertThat(semiSync.status().currentPrimary()).isEqualTo("db-0");
        assertThat(semiSync.status().failover().phase()).isEqualTo(FailoverPhase.Failed);
        assertThat(semiSync.events).anyMatch(event -> event.contains("db-0 is back, and stays the primary"));
        semiSync.node.bringBack("db-2");
        semiSync.settle();

        Whole.check(semiSync);
    }

    @Test
    void chooses_another_when_the_chosen_one_is_gone_before_it_was_promoted() {
        SimulatedCluster three = SimulatedCluster.running(DELAY);
        three.calls.breakAt("stopFollowing db-1 #1", Calls.Fault.CRASH);
        three.node.kill("db-0", Duration.ofSeconds(30));
        three.until(() -> three.status().failover().phase() == FailoverPhase.Promoting);
        three.node.kill("db-1", Duration.ofSeconds(30));

        three.until(() -> three.status().failover().phase() == FailoverPhase.Completed);

        assertThat(three.status().currentPrimary()).isEqualTo("db-2");
        three.settle();
        Whole.check(three);
    }
}
