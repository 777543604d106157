package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Replication;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes that wait for several replicas: as many members, less one, can be lost with the primary. */
class AcknowledgementsTest {

    private static final String SPEC =
            "size: %d\nreplication: {semiSync: true, acknowledgements: %d}\nfailover: {delaySeconds: 5}\n";

    /** Whichever replicas are lost, and whichever had the last write. */
    @ParameterizedTest
    @CsvSource({"3, 1", "3, 2", "4, 1", "4, 2", "4, 3"})
    void one_is_elected_if_and_only_if_some_member_must_have_each_acknowledged_write(int size, int acknowledgements) {
        SimulatedCluster settled = SimulatedCluster.running(SPEC.formatted(size, acknowledgements));
        settled.turns(2);
        for (int lost = 0; lost < 1 << (size - 1); lost++) {
            for (int writes = 0; writes < size; writes++) {
                SimulatedCluster cluster = settled.again();
                for (int i = 0; i <= writes; i++) {
                    // Nobody has it yet but those that acknowledge it.
                    cluster.servers.write(cluster.server(0));
                }
                cluster.node.kill("db-0");
                for (int ordinal = 1; ordinal < size; ordinal++) {
                    if ((lost & 1 << (ordinal - 1)) != 0) {
                        cluster.node.kill("db-" + ordinal);
                    }
                }

                cluster.turns(10);

                boolean decidable = Integer.bitCount(lost) < acknowledgements && Integer.bitCount(lost) < size - 1;
                String what = "lost " + Integer.toBinaryString(lost) + " after " + writes + ": " + cluster;
                assertThat(cluster.writable()).as(what).hasSize(decidable ? 1 : 0);
                for (String primary : cluster.writable()) {
                    assertThat(cluster.servers.of(primary).rows).as(what).containsAll(cluster.servers.acknowledged());
                }
            }
        }
    }

    @Test
    void replicas_get_in_where_writes_that_wait_for_them_hold_all_connections() {
        SimulatedCluster cluster = SimulatedCluster.running(SPEC.formatted(3, 1));
        List.of("db-1", "db-2").forEach(cluster.node::kill);
        cluster.server(0).crowded = true;
        cluster.servers.write(cluster.server(0));

        cluster.turns(2);
        List.of("db-1", "db-2").forEach(cluster.node::bringBack);
        cluster.calls.breakAt("admitReplicas db-0 #1", Calls.Fault.NOT_DONE);
        cluster.settle();

        assertThat(cluster.server(0).unacknowledged).isEmpty();
        assertThat(cluster.server(1).rows).containsAll(cluster.servers.acknowledged());
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.status().failover().count()).isZero();
    }

    @Test
    void a_replica_that_does_not_get_in_by_the_other_port_goes_back() {
        SimulatedCluster cluster = crowdedOut();
        cluster.server(0).shut = true;
        cluster.turns(3);
        assertThat(cluster.status().phase()).isNotEqualTo("Running");

        cluster.server(0).crowded = false;
        cluster.settle();

        assertThat(cluster.server(1).rows).containsAll(cluster.servers.acknowledged());
        assertThat(cluster.status().failover().count()).isZero();
    }

    @Test
    void a_replica_at_the_other_port_that_stands_still_keeps_what_it_has_received() {
        SimulatedCluster cluster = crowdedOut();
        cluster.settle();
        SimulatedServer replica = cluster.server(1);
        assertThat(replica.link.source.port()).isEqualTo(Endpoint.ADMINISTRATION_PORT);
        replica.holdsBack = true;
        cluster.servers.write(cluster.server(0));
        cluster.servers.replicate();
        assertThat(replica.link.relayed).isNotEmpty();

        replica.stopReceiving();
        cluster.reconcile();

        assertThat(replica.link.relayed).isNotEmpty();
        assertThat(replica.link.io).isNotEqualTo(Replication.Io.NO);
    }

    @Test
    void one_that_is_led_to_the_other_port_applies_first_what_it_has_received() {
        SimulatedCluster cluster = SimulatedCluster.running(SPEC.formatted(3, 1));
        SimulatedServer replica = cluster.server(1);
        replica.holdsBack = true;
        cluster.servers.write(cluster.server(0));
        cluster.servers.replicate();
        cluster.server(0).crowded = true;
        replica.loseSource();
        cluster.servers.replicate();
        assertThat(replica.link.ioErrno).isEqualTo(Replication.TOO_MANY_CONNECTIONS);

        cluster.turns(2);

        assertThat(replica.link.relayed).isNotEmpty();
        replica.holdsBack = false;
        cluster.settle();
        assertThat(replica.rows).containsAll(cluster.servers.acknowledged());
    }

    /** Programs hold all connections, and a replica has just asked for one. */
    private static SimulatedCluster crowdedOut() {
        SimulatedCluster cluster = SimulatedCluster.running(SPEC.formatted(3, 1));
        cluster.server(0).crowded = true;
        for (int ordinal = 1; ordinal < 3; ordinal++) {
            cluster.server(ordinal).loseSource();
        }
        cluster.servers.replicate();
        return cluster;
    }

    @Test
    void what_was_acknowledged_by_fewer_before_the_number_was_raised_is_waited_for() {
        SimulatedCluster cluster = SimulatedCluster.running(SPEC.formatted(3, 1));
        assertThat(cluster.status().acknowledgements()).isEqualTo(1);
        cluster.calls.breakAt("acknowledgeByReplicas db-0 #1", Calls.Fault.CRASH);
        cluster.spec(SPEC.formatted(3, 2));
        cluster.reconcile();
        assertThat(cluster.server(0).waitsFor).isEqualTo(2);
        assertThat(cluster.status().acknowledgements()).isEqualTo(1);
        SimulatedCluster later = cluster.again();

        List.of("db-0", "db-2").forEach(cluster.node::kill);
        cluster.turns(12);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("NoFailoverCandidate");

        later.settle();
        assertThat(later.status().acknowledgements()).isEqualTo(2);
        List.of("db-0", "db-2").forEach(later.node::kill);
        later.turns(12);
        assertThat(later.writable()).containsExactly("db-1");
        assertThat(later.server(1).rows).containsAll(later.servers.acknowledged());
    }

    @Test
    void a_lower_number_is_told_before_the_server_acknowledges_by_it() {
        SimulatedCluster cluster = SimulatedCluster.running(SPEC.formatted(3, 2));
        cluster.calls.breakAt("acknowledgeByReplicas db-0 #1", Calls.Fault.CRASH);
        cluster.spec(SPEC.formatted(3, 1));
        cluster.reconcile();

        assertThat(cluster.status().acknowledgements()).isEqualTo(1);
        cluster.settle();
        assertThat(cluster.server(0).waitsFor).isEqualTo(1);
    }

    @Test
    void a_number_that_is_lowered_while_the_primary_is_away_counts_from_the_next_primary_on() {
        SimulatedCluster cluster = SimulatedCluster.running(SPEC.formatted(4, 2));
        List.of("db-0", "db-3").forEach(cluster.node::kill);
        cluster.turns(2);
        cluster.spec(SPEC.formatted(4, 1));
        cluster.until(() -> !cluster.writable().isEmpty());

        assertThat(cluster.status().acknowledgements()).isEqualTo(1);
        String primary = cluster.writable().get(0);
        assertThat(cluster.servers.of(primary).waitsFor).isEqualTo(1);
        assertThat(cluster.servers.of(primary).rows).containsAll(cluster.servers.acknowledged());
    }

    @Test
    void replicas_that_were_told_to_wait_for_others_apply_again() {
        SimulatedCluster cluster = SimulatedCluster.running(SPEC.formatted(3, 1));
        cluster.server(1).waitsFor = 1;

        cluster.settle();

        Whole.check(cluster);
    }

    @Test
    void replicas_that_wait_for_others_are_told_not_to_before_one_is_elected() {
        SimulatedCluster cluster = SimulatedCluster.running(SPEC.formatted(3, 1));
        cluster.server(1).waitsFor = 1;
        cluster.server(2).waitsFor = 1;
        cluster.servers.write(cluster.server(0));
        cluster.node.kill("db-0");

        cluster.turns(10);

        assertThat(cluster.writable()).as("%s", cluster).hasSize(1);
        assertThat(cluster.servers.of(cluster.writable().get(0)).rows).containsAll(cluster.servers.acknowledged());
    }

    @Test
    void none_is_told_where_no_write_waits() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 2\n");
        assertThat(IntStream.of(cluster.status().acknowledgements(), cluster.server(0).waitsFor))
                .containsOnly(0);
    }
}
