package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SwitchoverTest {

    private static final String TO_TWO = "size: 3\nreplication: {primaryOrdinal: 2}\n";

    private final SimulatedCluster cluster = SimulatedCluster.running("size: 3\n");

    @Test
    void holds_writes_up_until_the_next_primary_has_all() {
        cluster.spec(TO_TWO);

        cluster.settle();

        assertThat(cluster.calls.made())
                .containsSubsequence(
                        "makeReadOnly db-0 #1",
                        "closeClients db-0 #1",
                        "freeze db-0 #1",
                        "stopFollowing db-2 #1",
                        "makeWritable db-2 #1",
                        "follow db-0 #1");
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
        assertThat(cluster.status().failover().count()).isZero();
        assertThat(cluster.told("SwitchoverCompleted")).isEqualTo(1);
        Whole.check(cluster);
    }

    @Test
    void takes_the_label_off_before_writes_are_held_up_and_ends_connections_again_before_they_may_go_on() {
        cluster.spec(TO_TWO);

        cluster.settle();

        assertThat(cluster.calls.made())
                .containsSubsequence(
                        "PATCH pods/db-0 {\"metadata\":{\"labels\":{\"mysqlcluster_role\":null}}} #1",
                        "status #1",
                        "makeReadOnly db-0 #1",
                        "freeze db-0 #1",
                        "makeWritable db-2 #1",
                        "PATCH pods/db-2 {\"metadata\":{\"labels\":{\"mysqlcluster_role\":\"primary\"}}} #1",
                        "closeClients db-0 #2",
                        "follow db-0 #1");
    }

    @Test
    void loses_nothing_that_root_writes_past_read_only() {
        cluster.servers.clientsAreRoot = true;
        cluster.spec(TO_TWO);

        cluster.settle();

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
        assertThat(cluster.told("MemberDiverged")).isZero();
        Whole.check(cluster);
    }

    @Test
    void loses_nothing_that_root_writes_when_it_fails() {
        cluster.servers.clientsAreRoot = true;
        cluster.server(2).holdsBack = true;
        cluster.spec(TO_TWO);

        cluster.turns(5);
        cluster.server(2).holdsBack = false;
        cluster.spec("size: 3\n");
        cluster.settle();

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        Whole.check(cluster);
    }

    @TestFactory
    Stream<DynamicTest> has_a_primary_again_one_turn_after_it_was_interrupted() {
        SimulatedCluster undisturbed = cluster.again();
        undisturbed.spec(TO_TWO);
        undisturbed.settle();
        return undisturbed.calls.made().stream()
                .map(call -> DynamicTest.dynamicTest(call, () -> {
                    SimulatedCluster interrupted = cluster.again();
                    interrupted.spec(TO_TWO);
                    interrupted.calls.breakAt(call, Calls.Fault.CRASH);
                    for (int turn = 0; !interrupted.calls.hasFailed(); turn++) {
                        assertThat(turn)
                                .as("turns without %s: %s", call, interrupted)
                                .isLessThan(10);
                        interrupted.reconcile();
                        interrupted.pass();
                    }

                    interrupted.reconcile();

                    String primary = String.valueOf(interrupted.status().currentPrimary());
                    assertThat(interrupted.labelled()).as("%s", interrupted).containsExactly(primary);
                    assertThat(interrupted.writable()).as("%s", interrupted).containsExactly(primary);
                    assertThat(interrupted.server(0).frozen).isFalse();
                    interrupted.settle();
                    Whole.check(interrupted);
                }));
    }

    @Test
    void lets_the_old_primary_go_on_when_the_next_does_not_get_there_in_time() {
        cluster.server(2).holdsBack = true;
        cluster.spec(TO_TWO);

        cluster.turns(5);

        assertThat(cluster.writable()).containsExactly("db-0");
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.status().failover().phase()).isEqualTo(FailoverPhase.Failed);
        assertThat(cluster.told("SwitchoverFailed")).isEqualTo(1);
        assertThat(cluster.labelled()).containsExactly("db-0");
    }

    @Test
    void gives_the_label_back_in_the_turn_in_which_it_fails() {
        cluster.server(2).holdsBack = true;
        cluster.spec(TO_TWO);

        cluster.until(() -> cluster.told("SwitchoverFailed") == 1);

        assertThat(cluster.labelled()).containsExactly("db-0");
    }

    @Test
    void is_tried_again_a_minute_after_it_failed() {
        cluster.server(2).holdsBack = true;
        cluster.spec(TO_TWO);
        cluster.turns(30);
        cluster.server(2).holdsBack = false;
        cluster.turns(25);
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");

        cluster.turns(10);

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
        assertThat(cluster.told("SwitchoverFailed")).isEqualTo(1);
    }

    @Test
    void waits_for_one_that_lags_too_much_without_holding_up_writes() {
        cluster.server(2).lag = Duration.ofSeconds(31);
        cluster.spec(TO_TWO);

        cluster.turns(10);
        assertThat(cluster.made("makeReadOnly db-0")).isEmpty();
        cluster.server(2).lag = Duration.ofSeconds(30);
        cluster.settle();

        assertThat(cluster.status().currentPrimary()).isEqualTo("db-2");
    }
}
