package io.busbar.operator.mysqlcluster.backup;

import static io.busbar.operator.mysqlcluster.backup.SampleBackups.complete;
import static io.busbar.operator.mysqlcluster.backup.SampleBackups.running;
import static io.busbar.operator.mysqlcluster.backup.SampleBackups.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.observe.Catalog;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BackupsTest {

    @Test
    void one_that_runs_is_ahead_of_all_then_the_oldest_that_waits() {
        MySQLBackup old = waiting("old", "2026-01-01T00:00:00Z");
        MySQLBackup young = waiting("young", "2026-01-02T00:00:00Z");
        MySQLBackup now = running(waiting("now", "2026-01-03T00:00:00Z"));
        MySQLBackup done = complete(waiting("done", "2025-01-01T00:00:00Z"), "2025-01-01T00:01:00Z");

        assertThat(Backups.ahead(old, List.of(old, young, now, done))).contains(now);
        assertThat(Backups.ahead(young, List.of(old, young, done))).contains(old);
        assertThat(Backups.ahead(old, List.of(old, young, done))).isEmpty();
    }

    @Test
    void only_a_complete_backup_can_be_put_back() {
        MySQLBackup complete = complete(waiting("b", "1"), "2");
        MySQLBackup failed = SampleBackups.failed(waiting("b", "1"), "2");

        assertThat(StoredBackup.refusal("b", catalog(Optional.of(complete)), SampleBackups.cluster("size: 1")))
                .isEmpty();
        assertThat(StoredBackup.refusal("b", catalog(Optional.of(failed)), SampleBackups.cluster("size: 1")))
                .hasValueSatisfying(refusal -> assertThat(refusal.isFinal()).isTrue());
        assertThat(StoredBackup.refusal("b", catalog(Optional.empty()), SampleBackups.cluster("size: 1")))
                .hasValueSatisfying(
                        refusal -> assertThat(refusal.ofRestore().reason()).isEqualTo("BackupMissing"));
        assertThat(StoredBackup.refusal(
                        "b", catalog(Optional.of(running(waiting("b", "1")))), SampleBackups.cluster("size: 1")))
                .hasValueSatisfying(refusal -> assertThat(refusal.isFinal()).isFalse());
    }

    @Test
    void one_that_is_being_deleted_can_be_put_back_only_for_what_was_there_before() {
        MySQLBackup going = complete(waiting("b", "1"), "2");
        going.getMetadata().setDeletionTimestamp("2026-01-01T00:00:05Z");
        MySQLCluster user = SampleBackups.cluster("size: 1");

        user.getMetadata().setCreationTimestamp("2026-01-01T00:00:04Z");
        assertThat(StoredBackup.refusal("b", catalog(Optional.of(going)), user)).isEmpty();
        user.getMetadata().setCreationTimestamp("2026-01-01T00:00:05Z");
        assertThat(StoredBackup.refusal("b", catalog(Optional.of(going)), user)).isPresent();
    }

    private static Catalog catalog(Optional<MySQLBackup> source) {
        return new Catalog(
                List.of(), List.of(), source.map(backup -> Map.of("b", backup)).orElse(Map.of()), Optional.empty());
    }

    @Test
    void a_primary_that_was_restored_goes_on_beyond_all_that_anybody_had() {
        assertThat(Beyond.all(Flavor.MARIADB, 102, List.of("0-100-7,0-101-57", "1-100-3", "", "0-100-60")))
                .isEqualTo("0-102-1000060,1-102-1000003");
        assertThat(Beyond.all(
                        Flavor.MYSQL,
                        102,
                        List.of(
                                "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:11-18",
                                "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-20,\n4e11fa47-71ca-11e1-9e33-c80aa9429562:1")))
                .isEqualTo("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-1000020,"
                        + "4e11fa47-71ca-11e1-9e33-c80aa9429562:1-1000001");
        assertThat(Beyond.all(Flavor.MARIADB, 102, List.of(""))).isEmpty();
    }

    @Test
    void the_last_that_was_tried_counts_and_the_last_that_was_good() {
        MySQLBackup good = SampleBackups.tried(complete(waiting("good", "1"), "2026-01-01T00:00:00Z"), true);
        MySQLBackup bad = SampleBackups.tried(complete(waiting("bad", "2"), "2026-01-02T00:00:00Z"), false);
        List<MySQLBackup> all = List.of(good, bad, complete(waiting("new", "3"), "2026-01-03T00:00:00Z"));

        assertThat(Backups.lastTried(all, false)).contains(bad);
        assertThat(Backups.lastTried(all, true)).contains(good);
        assertThat(Backups.lastTried(List.of(bad), true)).isEmpty();
    }

    @Test
    void names_of_jobs_are_short_enough_for_labels_and_differ_as_their_objects_do() {
        String one = JobNames.of("a".repeat(80) + "1", "backup");
        String other = JobNames.of("a".repeat(80) + "2", "backup");

        assertThat(JobNames.of("db-20260110-0300", "backup")).isEqualTo("db-20260110-0300-backup");
        assertThat(one).hasSizeLessThanOrEqualTo(63).endsWith("-backup").isNotEqualTo(other);
    }
}
