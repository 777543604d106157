package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.sql.PhysicalCopy.Stage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A member's server of MariaDB is given another's data files while its Pod is made anew. Nothing of what it has goes
 * before all of the other's is there, and it serves nobody from when that is asked for until it is told its position.
 */
class DataFilesCopyTest {

    private static final String SPEC = "size: 3\nimage: mariadb:10.11\n";

    private final SimulatedCluster cluster = SimulatedCluster.running(SPEC);

    private void diverge() {
        cluster.server(2).readOnly = false;
        cluster.server(2).write();
    }

    private void assertGivenADump() {
        cluster.settle();
        assertThat(cluster.made("beginCopy")).hasSize(1);
        assertThat(cluster.made("create db-clone")).hasSize(1);
        assertThat(cluster.told("CloneFailed")).isEqualTo(1);
        Whole.check(cluster);
    }

    @Test
    void a_diverged_member_is_given_the_files_of_a_replica_and_no_job_is_made() {
        diverge();

        cluster.settle();

        assertThat(cluster.made("create db-clone")).isEmpty();
        assertThat(cluster.made("offerCopy")).containsExactly("offerCopy db-1 #1");
        assertThat(cluster.made("beginCopy")).containsExactly("beginCopy db-2 #1");
        assertThat(cluster.made("delete db-2")).hasSize(1);
        assertThat(cluster.made("seed")).containsExactly("seed db-2 #1");
        assertThat(cluster.told("MemberRecloned")).isEqualTo(1);
        assertThat(cluster.told("CloneFailed")).isZero();
        Whole.check(cluster);
    }

    @Test
    void it_is_told_while_its_Pod_takes_them_and_the_next_operator_waits_for_that() {
        cluster.node.slowJobs(8);
        diverge();
        cluster.until(() -> cluster.server(2).isTakingFiles());
        cluster.newOperator();

        cluster.turns(4);

        assertThat(cluster.message(ConditionTypes.REPLICATION_HEALTHY)).contains("db-2", "its Pod takes the files");
        cluster.settle();
        assertThat(cluster.made("create db-clone")).isEmpty();
        Whole.check(cluster);
    }

    @Test
    void when_they_cannot_be_taken_it_has_what_it_had_until_a_dump_is_there() {
        cluster.node.breakJobsOff(1);
        diverge();

        cluster.until(() ->
                cluster.server(2).physical != null && cluster.server(2).physical.stage() == Stage.BROKEN_OFF);

        assertThat(cluster.server(2).rows).isNotEmpty();
        assertGivenADump();
    }

    @Test
    void a_server_that_is_started_again_in_the_same_Pod_does_not_wait_for_good() {
        cluster.calls.breakAt("beginCopy db-2 #1", Calls.Fault.CRASH);
        diverge();
        cluster.until(cluster.calls::hasFailed);
        cluster.server(2).stop();

        assertGivenADump();
    }

    /** Its request is still on the volume, where the next Pod finds it while the dump is taken. */
    @Test
    void files_that_come_while_a_dump_is_taken_are_not_mixed_with_it() {
        cluster.calls.breakAt("beginCopy db-2 #1", Calls.Fault.CRASH);
        diverge();
        cluster.until(cluster.calls::hasFailed);
        cluster.server(2).stop();
        cluster.node.slowJobs(8);
        cluster.until(() -> !cluster.made("create db-clone").isEmpty());

        cluster.node.deletePod("db-2");

        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void a_dump_is_taken_where_the_Pod_would_come_with_another_change() {
        cluster.spec("size: 3\nimage: mariadb:11.4\nupdateStrategy: {paused: true}\n");
        diverge();

        cluster.turns(40);

        assertThat(cluster.made("beginCopy")).isEmpty();
        assertThat(cluster.made("delete db-2")).isEmpty();
        assertThat(cluster.made("create db-clone")).hasSize(1);
    }

    @Test
    void a_Pod_that_ends_while_it_takes_them_is_given_a_dump() {
        cluster.node.slowJobs(5);
        diverge();
        cluster.until(() -> cluster.server(2).isTakingFiles());
        cluster.node.deletePod("db-2");

        assertGivenADump();
    }

    @Test
    void a_dump_is_taken_where_that_is_asked_for() {
        cluster.spec(SPEC + "replication: {copyMethod: Dump}\n");
        cluster.settle();
        diverge();

        cluster.settle();

        assertThat(cluster.made("beginCopy")).isEmpty();
        assertThat(cluster.made("create db-clone")).hasSize(1);
        Whole.check(cluster);
    }

    @Test
    void nobody_who_waits_for_files_is_elected() {
        cluster.node.slowJobs(100);
        diverge();
        cluster.until(() -> cluster.server(2).isTakingFiles());
        cluster.node.kill("db-1");
        cluster.node.kill("db-0", Duration.ofDays(1));

        cluster.turns(40);

        assertThat(cluster.writable()).isEmpty();
        assertThat(cluster.server(2).incomplete).isTrue();
    }
}
