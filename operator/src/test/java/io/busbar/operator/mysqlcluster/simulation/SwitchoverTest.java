package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.FailoverPhase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

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
    void lets_the_old_primary_go_on_when_the_next_does_not_get_there_in_time() {
        cluster.server(2).holdsBack = true;
        cluster.spec(TO_TWO);

        cluster.turns(5);

        assertThat(cluster.writable()).containsExactly("db-0");
        assertThat(cluster.status().currentPrimary()).isEqualTo("db-0");
        assertThat(cluster.status().failover().phase()).isEqualTo(FailoverPhase.Failed);
        assertThat(cluster.told("SwitchoverFailed")).isEqualTo(1);
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
