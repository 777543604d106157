package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a leader has sent right before its time was over may arrive much later; and its clock may have been wrong. */
class FormerLeaderTest {

    private static final String THREE = "size: 3\nfailover: {delaySeconds: 2}\nreplication: {semiSync: true}\n";

    private final SimulatedCluster cluster = SimulatedCluster.running(THREE);
    private final SimulatedOperator former = new SimulatedOperator("former", cluster, cluster::write);
    private final SimulatedOperator next = new SimulatedOperator("next", cluster, cluster::write);

    FormerLeaderTest() {
        former.leads = true;
    }

    @AfterEach
    void end() {
        former.close();
        next.close();
    }

    private void handOverLeadership() {
        former.leads = false;
        next.leads = true;
        next.restart();
    }

    private void turns(SimulatedOperator leader, int count) {
        for (int i = 0; i < count; i++) {
            leader.turn();
            cluster.servers.roads.pass();
            cluster.pass();
        }
    }

    private void until(SimulatedOperator leader, BooleanSupplier holds) {
        for (int i = 0; i < 60; i++) {
            if (holds.getAsBoolean()) {
                return;
            }
            turns(leader, 1);
        }
        throw new AssertionError("not after 60 turns: " + cluster);
    }

    private void isolate(String pod) {
        cluster.node.lose(pod);
        for (SimulatedServer other : cluster.servers.all()) {
            cluster.servers.roads.close(pod, other.pod);
            cluster.servers.roads.close(other.pod, pod);
        }
    }

    @Test
    void its_label_that_comes_late_does_not_send_writes_to_who_was_the_primary_then() {
        former.pauseAt("PATCH pods/db-1 {\"metadata\":{\"labels\":{\"mysqlcluster_role\":\"primary\"", true);
        cluster.node.kill("db-0", Duration.ofSeconds(8));
        until(former, former::isPaused);
        handOverLeadership();
        turns(next, 20);
        assertThat(cluster.role(1)).isEqualTo("primary");
        isolate("db-1");
        until(next, () -> !"db-1".equals(cluster.status().currentPrimary()));
        assertThat(cluster.role(1)).isEmpty();

        former.turn();

        assertThat(new Promises(cluster).ends()).isNull();
    }

    @Test
    void a_primary_that_it_tells_late_not_to_wait_for_replicas_waits_again() {
        former.pauseAt("acknowledgeByReplicas db-1", true);
        cluster.node.kill("db-1", Duration.ofSeconds(2));
        until(former, former::isPaused);
        handOverLeadership();
        turns(next, 5);
        cluster.node.kill("db-0");
        until(next, () -> "db-1".equals(cluster.status().currentPrimary()));
        assertThat(cluster.server(1).waitsFor).isEqualTo(1);

        former.turn();
        turns(next, 5);

        assertThat(cluster.server(1).waitsFor).isEqualTo(1);
    }

    @Test
    void a_replica_that_it_tells_late_to_wait_for_others_waits_for_nobody() {
        former.pauseAt("acknowledgeByReplicas db-0", true);
        cluster.node.kill("db-0", Duration.ofSeconds(1));
        until(former, former::isPaused);
        handOverLeadership();
        until(next, () -> cluster.writable().contains("db-0"));
        cluster.spec(THREE.replace("true", "true, primaryOrdinal: 1"));
        until(next, () -> "db-1".equals(cluster.status().currentPrimary()));
        turns(next, 2);
        assertThat(cluster.server(0).waitsFor).isZero();

        former.turn();
        assertThat(cluster.server(0).waitsFor).isEqualTo(1);
        turns(next, 5);

        Whole.check(cluster);
    }

    @Test
    void a_time_that_it_wrote_by_a_fast_clock_does_not_hold_up_a_failover() {
        former.ahead = Duration.ofHours(1);
        cluster.node.kill("db-0");
        turns(former, 1);
        assertThat(cluster.status().primaryFailingSince()).isNotNull();
        handOverLeadership();

        turns(next, 10);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-1");
    }

    @Test
    void a_copy_that_failed_is_tried_again_by_one_whose_clock_is_slow() {
        former.ahead = Duration.ofHours(-1);
        cluster.node.failJobs(true);
        cluster.node.kill("db-1", Duration.ofSeconds(1));
        cluster.server(1).lose();
        turns(former, 10);
        cluster.node.failJobs(false);

        turns(former, 40);

        assertThat(cluster.server(1).rows).hasSizeGreaterThan(5);
    }
}
