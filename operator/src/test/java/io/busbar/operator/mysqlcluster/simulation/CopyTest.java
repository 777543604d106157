package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.objects.ClusterJobs;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a member has goes only when what it is given instead is there; and what broke off half way serves nobody. */
class CopyTest {

    private final SimulatedCluster cluster = SimulatedCluster.running("size: 3\n");

    private Set<Transaction> diverge(int ordinal) {
        cluster.server(ordinal).readOnly = false;
        cluster.server(ordinal).write();
        return Set.copyOf(cluster.server(ordinal).rows);
    }

    @Test
    void a_diverged_member_keeps_what_it_has_while_no_copy_can_be_had() {
        Set<Transaction> before = diverge(2);
        cluster.node.failJobs(true);

        cluster.turns(40);

        assertThat(cluster.server(2).rows).containsAll(before);
        assertThat(cluster.told("CloneFailed")).isPositive();
        cluster.node.failJobs(false);
        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void a_member_that_became_the_primary_keeps_what_it_has_whoever_asked_for_a_copy_before() {
        diverge(2);
        cluster.node.holdJobs(true);
        cluster.turns(2);
        assertThat(cluster.made("create db-clone-2")).hasSize(1);
        Set<Transaction> before = Set.copyOf(cluster.server(2).rows);
        cluster.server(2).readOnly = false;

        cluster.node.holdJobs(false);
        cluster.pass();

        assertThat(cluster.server(2).rows).containsAll(before);
        assertThat(cluster.context
                        .get(Job.class, "db-clone-2")
                        .orElseThrow()
                        .getStatus()
                        .getConditions())
                .extracting(JobCondition::getType)
                .containsExactly("Failed");
    }

    @Test
    void a_member_whose_position_has_moved_since_keeps_what_it_has() {
        diverge(2);
        cluster.node.holdJobs(true);
        cluster.turns(2);
        Transaction late = cluster.server(2).write();

        cluster.node.holdJobs(false);
        cluster.pass();

        assertThat(cluster.server(2).rows).contains(late);
        cluster.reconcile();
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("it has moved");
    }

    @Test
    void a_diverged_member_is_kept_and_serves_nobody_where_that_is_asked_for() {
        cluster.spec("size: 3\ndivergedMembers: Keep\n");
        Set<Transaction> before = diverge(2);

        cluster.turns(20);

        assertThat(cluster.server(2).rows).containsAll(before);
        assertThat(cluster.made("create db-clone")).isEmpty();
        assertThat(cluster.made("erase")).isEmpty();
        assertThat(cluster.role(2)).isEmpty();
        assertThat(cluster.reason(ConditionTypes.MEMBER_DIVERGED)).isEqualTo("HistoryDiffers");
        assertThat(cluster.message(ConditionTypes.MEMBER_DIVERGED))
                .contains("it is kept as it is", "delete its PersistentVolumeClaim and its Pod");
        assertThat(cluster.told("MemberDiverged")).isEqualTo(1);

        cluster.spec("size: 3\n");
        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void those_that_have_nothing_are_given_copies_before_one_that_has_something_loses_it() {
        diverge(1);
        cluster.server(2).lose();

        cluster.settle();

        assertThat(cluster.made("create db-clone")).containsExactly("create db-clone-2 #1", "create db-clone-1 #1");
        Whole.check(cluster);
    }

    @Test
    void two_that_have_diverged_are_given_copies_also_where_one_follows_the_other() {
        diverge(1);
        cluster.server(2).follow(SimulatedCluster.endpoint(1), cluster.password("replication-password"), false);
        cluster.servers.replicate();
        assertThat(cluster.server(2).rows).isEqualTo(cluster.server(1).rows);

        cluster.settle();

        assertThat(cluster.made("create db-clone")).containsExactly("create db-clone-1 #1", "create db-clone-2 #1");
        Whole.check(cluster);
    }

    @Test
    void half_a_copy_is_never_elected_nor_begun_with() {
        cluster.server(1).erase();
        cluster.node.failJobs(true);
        cluster.turns(1);
        cluster.server(1).standAt(cluster.server(0).history().text());
        cluster.node.kill("db-2");
        cluster.node.kill("db-0");

        cluster.turns(40);

        assertThat(cluster.writable()).isEmpty();
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("db-1: it has only part of a copy");
    }

    @Test
    void a_volume_with_half_a_copy_that_outlived_its_cluster_is_not_begun_with() {
        SimulatedCluster next = new SimulatedCluster("size: 2\n");
        SimulatedServer half = next.servers.add("db-0", SimulatedCluster.endpoint(0), 100);
        half.erase();
        half.standAt("0-101-7");

        next.turns(5);

        assertThat(next.writable()).isEmpty();
        assertThat(next.message(ConditionTypes.DEGRADED))
                .startsWith("db-0 has only part of another member's data")
                .contains("drop its schema busbar_copy_in_progress");
        half.incomplete = false;
        next.turns(3);
        assertThat(next.writable()).containsExactly("db-0");
    }

    @Test
    void a_primary_with_half_a_copy_is_not_opened() {
        SimulatedCluster alone = SimulatedCluster.running("size: 1\n");
        alone.node.kill("db-0", Duration.ofSeconds(2));
        alone.server(0).incomplete = true;

        alone.turns(10);

        assertThat(alone.writable()).isEmpty();
        assertThat(alone.message(ConditionTypes.PRIMARY_READY))
                .startsWith("db-0 does not have all of the data that it was being given")
                .contains("drop its schema busbar_copy_in_progress");
    }

    @Test
    void the_primary_is_asked_when_a_replica_could_not_be_copied() {
        cluster.server(2).lose();
        cluster.node.failJobs(true);
        cluster.until(() -> cluster.told("CloneFailed") == 1);
        cluster.node.holdJobs(true);

        cluster.until(() -> cluster.made("create db-clone-2").size() == 2);

        Job second = cluster.context.get(Job.class, "db-clone-2").orElseThrow();
        assertThat(ClusterJobs.donor(second)).isEqualTo(SimulatedCluster.endpoint(0));
    }

    @Test
    void a_former_primary_is_given_all_that_it_wrote_itself_however_far_its_donor_lags() {
        cluster.server(2).holdsBack = true;
        cluster.write();
        cluster.servers.replicate();
        cluster.node.kill("db-0", Duration.ofSeconds(10));
        cluster.server(0).lose();
        cluster.until(() -> !cluster.made("create db-clone-0").isEmpty());
        cluster.turns(5);
        assertThat(cluster.server(0).rows).as("its donor lags").isEmpty();
        cluster.server(2).holdsBack = false;

        cluster.settle();
        Whole.check(cluster);
    }

    @Test
    void half_a_copy_is_made_anew_although_its_position_says_that_it_is_whole() {
        diverge(2);
        cluster.node.breakJobsOff(1);
        cluster.until(() -> cluster.told("CloneFailed") == 1);
        cluster.context.get(Job.class, "db-clone-2").ifPresent(cluster.context::remove);
        cluster.newOperator();
        assertThat(cluster.server(2).history().isEmpty()).isFalse();
        cluster.turns(1);
        assertThat(cluster.made("follow db-2")).isEmpty();

        cluster.settle();

        Whole.check(cluster);
    }
}
