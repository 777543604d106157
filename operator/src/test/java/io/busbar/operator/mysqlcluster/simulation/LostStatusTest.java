package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster whose objects come from a backup has no status: who is the primary is found from the servers that run. */
class LostStatusTest {

    private static final String THREE = "size: 3\nreplication: {primaryOrdinal: 1}\n";
    private static final String SEMI_SYNC = "size: 3\nreplication: {primaryOrdinal: 1, semiSync: true}\n";

    /** One whose primary is not the member that a new cluster would begin with. */
    private static SimulatedCluster servedBySecond(String spec) {
        SimulatedCluster cluster = SimulatedCluster.running(spec);
        cluster.until(() -> "db-1".equals(cluster.status().currentPrimary()));
        cluster.settle();
        // Nothing that is asked for leads to this primary any more.
        cluster.spec(spec.replace("primaryOrdinal: 1", "maxLagSeconds: 31"));
        cluster.settle();
        cluster.calls.forget();
        cluster.events.clear();
        return cluster;
    }

    private static void assertThatSecondStays(SimulatedCluster cluster) {
        assertThat(cluster.status().currentPrimary()).as("%s", cluster).isEqualTo("db-1");
        assertThat(cluster.writable()).containsExactly("db-1");
        assertThat(cluster.made("makeReadOnly")).isEmpty();
        assertThat(cluster.made("makeWritable")).isEmpty();
        assertThat(cluster.made("stopFollowing")).isEmpty();
        assertThat(cluster.made("follow")).isEmpty();
        assertThat(cluster.made("erase")).isEmpty();
        assertThat(cluster.role(1)).isEqualTo("primary");
    }

    @Test
    void the_member_that_serves_stays_the_primary() {
        SimulatedCluster cluster = servedBySecond(THREE);
        cluster.loseStatus();

        cluster.settle();

        assertThatSecondStays(cluster);
        assertThat(cluster.told("PrimaryFound")).isEqualTo(1);
        Whole.check(cluster);
    }

    @Test
    void nobody_is_opened_before_what_was_received_and_may_be_acknowledged_is_applied() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {semiSync: true}\n");
        cluster.turns(2);
        cluster.server(1).deaf = true;
        cluster.server(2).holdsBack = true;
        cluster.pass();
        cluster.node.kill("db-0", Duration.ofSeconds(1));
        cluster.server(0).lose();
        cluster.loseStatus();

        cluster.turns(5);
        assertThat(cluster.writable()).isEmpty();
        assertThat(cluster.message(ConditionTypes.PRIMARY_READY) + cluster.message(ConditionTypes.PROGRESSING))
                .contains("db-2 has not applied yet what it received");
        cluster.server(1).deaf = false;
        cluster.server(2).holdsBack = false;
        cluster.settle();

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
        Whole.check(cluster);
    }

    @Test
    void a_member_that_has_nothing_is_not_opened_where_another_has_only_part_of_a_copy() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 2\n");
        cluster.node.breakJobsOff(1);
        cluster.server(1).lose();
        cluster.until(() -> cluster.server(1).incomplete);
        cluster.node.kill("db-0", Duration.ofSeconds(1));
        cluster.server(0).lose();
        cluster.loseStatus();

        cluster.turns(10);

        assertThat(cluster.writable()).as("%s", cluster).isEmpty();
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("BootstrapFailed");
        assertThat(cluster.message(ConditionTypes.DEGRADED))
                .contains("db-1 has only part of another member's data, and no member has more")
                .contains("delete its PersistentVolumeClaim and its Pod");
        cluster.server(1).lose();
        cluster.annotate("database.example.com/accept-position", "nothing");
        cluster.settle();
        assertThat(cluster.writable()).containsExactly("db-0");
    }

    @Test
    void nobody_is_opened_where_all_have_lost_what_they_had_until_that_is_accepted() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 2\n");
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            cluster.node.kill("db-" + ordinal, Duration.ofSeconds(1));
            cluster.server(ordinal).lose();
        }
        cluster.loseStatus();

        cluster.turns(10);

        assertThat(cluster.writable()).as("%s", cluster).isEmpty();
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("BootstrapFailed");
        assertThat(cluster.message(ConditionTypes.DEGRADED))
                .contains("the cluster had one, and no member has any data")
                .contains("database.example.com/accept-position=nothing");
        cluster.annotate("database.example.com/accept-position", "nothing");
        cluster.settle();
        assertThat(cluster.writable()).containsExactly("db-0");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 8})
    void a_restore_that_is_under_way_comes_to_its_end(int turns) {
        SimulatedCluster cluster = SimulatedCluster.running("size: 3\nreplication: {primaryOrdinal: 1}\n");
        cluster.until(() -> "db-1".equals(cluster.status().currentPrimary()));
        cluster.settle();
        cluster.restore(cluster.server(1));
        cluster.node.slowJobs(2);
        cluster.turns(turns);
        cluster.loseStatus();

        cluster.until(() -> cluster.context
                .get(MySQLRestore.class, "again")
                .filter(restore -> "Complete".equals(restore.told().phase()))
                .isPresent());
        cluster.settle();

        Whole.check(cluster);
    }

    @Test
    void the_member_that_serves_stays_the_primary_where_replicas_acknowledge() {
        SimulatedCluster cluster = servedBySecond(SEMI_SYNC);
        cluster.loseStatus();

        cluster.settle();

        assertThatSecondStays(cluster);
        Whole.check(cluster);
    }

    @Test
    void it_stays_also_while_a_replica_has_a_write_that_it_does_not_count_yet() {
        SimulatedCluster cluster = servedBySecond(SEMI_SYNC);
        SimulatedServer replica = cluster.server(0);
        long next = cluster.server(1).history().transactions() + 1;
        replica.take(new Transaction(cluster.server(1).id, next));
        cluster.loseStatus();

        cluster.reconcile();

        assertThatSecondStays(cluster);
    }

    @Test
    void it_stays_also_while_a_member_is_away_if_another_follows_it() {
        SimulatedCluster cluster = servedBySecond(THREE);
        cluster.node.kill("db-0");
        cluster.loseStatus();

        cluster.turns(3);

        assertThatSecondStays(cluster);
    }

    @Test
    void the_member_that_serves_is_kept_serving_while_nobody_else_is_seen() {
        SimulatedCluster cluster = servedBySecond(THREE);
        cluster.node.lose("db-0");
        cluster.node.lose("db-2");
        cluster.loseStatus();

        cluster.turns(5);

        assertThat(cluster.status().currentPrimary()).isNull();
        assertThat(cluster.message(ConditionTypes.PRIMARY_READY)).contains("db-1", "waiting for db-0");
        assertThat(cluster.writable()).contains("db-1");
        assertThat(cluster.role(1)).isEqualTo("primary");
        cluster.node.bringBack("db-0");
        cluster.node.bringBack("db-2");
        cluster.settle();
        assertThatSecondStays(cluster);
    }

    @Test
    void a_member_that_was_not_seen_since_may_have_acknowledged_what_nobody_else_has() {
        SimulatedCluster cluster =
                SimulatedCluster.running("size: 3\nreplication: {semiSync: true}\nfailover: {delaySeconds: 5}\n");
        cluster.node.lose("db-2");
        cluster.loseStatus();
        cluster.turns(3);
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        cluster.server(1).deaf = true;
        cluster.pass();
        cluster.node.kill("db-0");

        cluster.turns(20);

        assertThat(cluster.writable()).as("%s", cluster).isEmpty();
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("db-2: it is away");
        cluster.server(1).deaf = false;
        cluster.node.bringBack("db-2");
        cluster.until(() -> !cluster.writable().isEmpty());
        assertThat(cluster.writable()).containsExactly("db-2");
        assertThat(cluster.server(2).rows).containsAll(cluster.servers.acknowledged());
    }

    @Test
    void the_one_whom_the_others_follow_is_opened_again_where_all_were_restarted() {
        SimulatedCluster cluster = servedBySecond(THREE);
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            cluster.node.kill("db-" + ordinal, Duration.ofSeconds(2));
        }
        cluster.loseStatus();

        cluster.turns(5);
        cluster.settle();

        assertThat(cluster.status().currentPrimary()).as("%s", cluster).isEqualTo("db-1");
        Whole.check(cluster);
    }

    @Test
    void of_two_that_serve_none_is_chosen() {
        SimulatedCluster cluster = servedBySecond(THREE);
        cluster.server(2).link = null;
        cluster.server(2).readOnly = false;
        cluster.loseStatus();

        cluster.turns(5);

        assertThat(cluster.status().currentPrimary()).isNull();
        assertThat(cluster.writable()).containsExactly("db-1", "db-2");
        assertThat(cluster.role(1)).isEqualTo("primary");
        assertThat(cluster.made("makeReadOnly")).isEmpty();
        assertThat(cluster.made("stopFollowing")).isEmpty();
        assertThat(cluster.made("follow")).isEmpty();
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("PrimaryUnknown");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("db-1 and db-2", "super_read_only");
        assertThat(cluster.told("PrimaryUnknown")).isEqualTo(1);

        cluster.server(2).readOnly = true;
        cluster.settle();
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-1");
    }

    @Test
    void of_two_that_serve_the_one_whom_the_other_follows_is_the_primary() {
        SimulatedCluster cluster = servedBySecond(THREE);
        cluster.server(2).readOnly = false;
        cluster.loseStatus();

        cluster.settle();

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-1");
        assertThat(cluster.told("SplitBrain")).isEqualTo(1);
        Whole.check(cluster);
    }

    @Test
    void one_that_serves_but_lacks_what_another_has_is_not_chosen() {
        SimulatedCluster cluster = servedBySecond(THREE);
        SimulatedServer stray = cluster.server(2);
        stray.link = null;
        stray.take(new Transaction(stray.id, stray.history().transactions() + 1));
        cluster.loseStatus();

        cluster.turns(5);

        assertThat(cluster.status().currentPrimary()).isNull();
        assertThat(cluster.writable()).containsExactly("db-1");
        assertThat(cluster.role(1)).isEqualTo("primary");
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("IncomparableData");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("only db-2 has 0-102-");
        assertThat(cluster.made("erase")).isEmpty();
    }
}
