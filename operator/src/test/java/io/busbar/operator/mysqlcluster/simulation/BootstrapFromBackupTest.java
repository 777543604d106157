package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A new cluster begins with a backup, and never in place of data that its volumes have already. */
class BootstrapFromBackupTest {

    private static final String FROM = "size: 2\nbootstrapFrom: {backupName: b}\n";

    /** One with a backup, whose servers have nothing yet. */
    private static SimulatedCluster blank() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 2\n");
        cluster.backUp(cluster.server(0));
        cluster.node.kill("db-0", Duration.ofSeconds(2));
        cluster.node.kill("db-1", Duration.ofSeconds(2));
        cluster.server(0).lose();
        cluster.server(1).lose();
        cluster.spec(FROM);
        cluster.loseStatus();
        cluster.calls.forget();
        return cluster;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "erase db-0 #1",
                "create db-bootstrap #1",
                "seed db-0 #1",
                "delete db-bootstrap #1",
                "acknowledgeByReplicas db-0 #1",
                "makeWritable db-0 #1"
            })
    void it_begins_with_the_backup_also_when_the_operator_ends_at(String call) {
        SimulatedCluster cluster = blank();
        cluster.calls.breakAt(call, Calls.Fault.CRASH);

        cluster.turns(2);
        cluster.settle();

        assertThat(cluster.calls.made()).contains(call);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEmpty();
        Whole.check(cluster);
    }

    @Test
    void data_that_is_there_is_not_passed_off_as_the_backup() {
        SimulatedCluster cluster = SimulatedCluster.running("size: 2\n");
        cluster.backUp(cluster.server(0));
        cluster.turns(3);
        Set<Transaction> before = Set.copyOf(cluster.server(0).rows);
        cluster.node.kill("db-0", Duration.ofSeconds(2));
        cluster.node.kill("db-1", Duration.ofSeconds(2));
        cluster.spec(FROM);
        cluster.loseStatus();
        cluster.calls.forget();

        cluster.turns(10);

        assertThat(cluster.writable()).isEmpty();
        assertThat(cluster.made("erase")).isEmpty();
        assertThat(cluster.server(0).rows).containsAll(before);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("VolumesHaveData");
        assertThat(cluster.message(ConditionTypes.DEGRADED))
                .contains("db-0 has data already", "data-db-0, data-db-1", "leave spec.bootstrapFrom out");
        assertThat(cluster.told("VolumesHaveData")).isEqualTo(1);

        cluster.spec("size: 2\n");
        cluster.settle();
        assertThat(cluster.server(0).rows).containsAll(before);
        Whole.check(cluster);
    }

    @Test
    void half_of_a_backup_is_not_opened() {
        SimulatedCluster cluster = blank();
        cluster.node.holdJobs(true);
        cluster.turns(5);
        assertThat(cluster.made("create db-bootstrap")).hasSize(1);
        // As with a file that has a position in it.
        cluster.server(0).standAt("0-100-1");

        cluster.turns(5);

        assertThat(cluster.writable()).isEmpty();
        cluster.node.holdJobs(false);
        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void one_that_serves_goes_on_when_its_status_is_lost() {
        SimulatedCluster cluster = blank();
        cluster.settle();
        cluster.turns(3);
        cluster.calls.forget();
        cluster.loseStatus();

        cluster.settle();

        assertThat(List.of(cluster.made("makeReadOnly"), cluster.made("erase"))).containsOnly(List.of());
        Whole.check(cluster);
    }
}
