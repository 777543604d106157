package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.sql.PhysicalCopy.Stage;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A member's server copies another's data files by itself where it can; half of that serves nobody. */
class PhysicalCopyTest {

    private final SimulatedCluster cluster = SimulatedCluster.running("size: 3\n");

    @BeforeEach
    void with_servers_that_can() {
        cluster.servers.copyPhysically();
    }

    private void diverge(int ordinal) {
        cluster.server(ordinal).readOnly = false;
        cluster.server(ordinal).write();
    }

    @Test
    void a_diverged_member_copies_the_files_of_a_replica_and_no_job_is_made() {
        diverge(2);

        cluster.settle();

        assertThat(cluster.made("create db-clone")).isEmpty();
        assertThat(cluster.made("offerCopy")).containsExactly("offerCopy db-1 #1");
        assertThat(cluster.made("beginCopy")).containsExactly("beginCopy db-2 #1");
        assertThat(cluster.made("acceptCopy")).containsExactly("acceptCopy db-2 #1");
        assertThat(cluster.told("MemberRecloned")).isEqualTo(1);
        assertThat(cluster.told("CloneFailed")).isZero();
        Whole.check(cluster);
    }

    @Test
    void a_dump_is_taken_where_that_is_asked_for() {
        cluster.spec("size: 3\nreplication: {copyMethod: Dump}\n");
        diverge(2);

        cluster.settle();

        assertThat(cluster.made("beginCopy")).isEmpty();
        assertThat(cluster.made("create db-clone")).hasSize(1);
        Whole.check(cluster);
    }

    @Test
    void a_dump_is_taken_where_the_donor_has_what_its_files_would_lose() {
        cluster.server(1).hasOtherTables = true;
        diverge(2);

        cluster.settle();

        assertThat(cluster.made("beginCopy")).isEmpty();
        assertThat(cluster.made("create db-clone")).hasSize(1);
        assertThat(cluster.told("CloneFailed")).isEqualTo(1);
        Whole.check(cluster);
    }

    @Test
    void a_dump_is_taken_of_a_server_of_another_series() {
        cluster.server(2).version = "8.4.9";
        diverge(2);

        cluster.settle();

        assertThat(cluster.made("offerCopy")).isEmpty();
        assertThat(cluster.made("create db-clone")).hasSize(1);
        assertThat(cluster.told("CloneFailed")).isZero();
        Whole.check(cluster);
    }

    @Test
    void the_next_operator_waits_for_a_copy_that_is_under_way() {
        cluster.node.slowJobs(5);
        diverge(2);
        cluster.until(() -> cluster.server(2).physical != null);
        cluster.newOperator();

        cluster.turns(2);
        assertThat(cluster.message(ConditionTypes.REPLICATION_HEALTHY)).contains("of the files are there");

        cluster.settle();
        assertThat(cluster.made("create db-clone")).isEmpty();
        Whole.check(cluster);
    }

    @Test
    void after_a_copy_was_broken_off_a_dump_is_taken_and_it_is_said_why() {
        diverge(2);
        cluster.node.breakJobsOff(1);

        cluster.until(() -> cluster.told("CloneFailed") == 1);
        assertThat(cluster.server(2).incomplete).isTrue();

        cluster.settle();
        assertThat(cluster.made("beginCopy")).hasSize(1);
        assertThat(cluster.made("create db-clone")).hasSize(1);
        Whole.check(cluster);
    }

    /** What a broken copy of files has left may be why a dump cannot be loaded, and another one puts that right. */
    @Test
    void after_a_dump_was_broken_off_too_the_files_are_copied_again_and_so_on_in_turns() {
        diverge(2);
        cluster.node.breakJobsOff(4);

        cluster.settle();

        assertThat(cluster.made("beginCopy")).hasSize(3);
        assertThat(cluster.made("create db-clone")).hasSize(2);
        Whole.check(cluster);
    }

    @Test
    void a_copy_whose_server_ends_in_the_middle_is_never_elected() {
        cluster.node.slowJobs(100);
        diverge(2);
        cluster.until(() -> cluster.server(2).physical != null);
        cluster.node.kill("db-2", Duration.ofSeconds(2));
        cluster.node.kill("db-1");
        cluster.node.kill("db-0");

        cluster.turns(40);

        assertThat(cluster.server(2).physical).isNotNull();
        assertThat(cluster.server(2).physical.stage()).isEqualTo(Stage.BROKEN_OFF);
        assertThat(cluster.writable()).isEmpty();
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("db-2: it has only part of a copy");
    }

    @Test
    void a_whole_copy_serves_nobody_before_it_is_accepted() {
        diverge(2);
        cluster.until(() -> cluster.server(2).physical != null);
        cluster.node.work();
        assertThat(cluster.server(2).physical).isNotNull();
        assertThat(cluster.server(2).physical.stage()).isEqualTo(Stage.WHOLE);
        assertThat(cluster.role(2)).isEmpty();

        cluster.settle();

        assertThat(cluster.server(2).physical).isNull();
        Whole.check(cluster);
    }
}
