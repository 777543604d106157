package io.busbar.operator.mysqlcluster.backup;

import static io.busbar.operator.mysqlcluster.backup.SampleBackups.complete;
import static io.busbar.operator.mysqlcluster.backup.SampleBackups.failed;
import static io.busbar.operator.mysqlcluster.backup.SampleBackups.scheduled;
import static io.busbar.operator.mysqlcluster.backup.SampleBackups.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final Instant THREE = Instant.parse("2026-01-10T03:00:00Z");

    private static Plan at(Instant now, @Nullable String told, MySQLBackup... all) {
        return Plan.of(nightly(false), told, now, List.of(all));
    }

    private static BackupSpec nightly(boolean suspend) {
        return spec(suspend, 2, null);
    }

    private static BackupSpec spec(boolean suspend, int keep, @Nullable Integer keepDays) {
        return new BackupSpec(
                "0 3 * * *", null, suspend, keep, keepDays, SampleBackups.HOST_PATH, List.of(), null, null);
    }

    @Test
    void begins_with_the_next_run_and_makes_up_for_none_before() {
        Plan plan = at(THREE.plusSeconds(60), null);

        assertThat(plan.due()).isEmpty();
        assertThat(plan.next()).contains(Instant.parse("2026-01-11T03:00:00Z"));
    }

    @Test
    void is_due_when_the_time_that_was_told_has_come_and_not_before() {
        assertThat(at(THREE.minusMillis(1), THREE.toString()).due()).isEmpty();
        assertThat(at(THREE, THREE.toString()).due()).contains(THREE);
        assertThat(at(THREE, THREE.toString()).next()).contains(Instant.parse("2026-01-11T03:00:00Z"));
    }

    @Test
    void makes_up_for_the_last_of_the_runs_that_were_missed() {
        assertThat(at(Instant.parse("2026-01-14T12:00:00Z"), THREE.toString()).due())
                .contains(Instant.parse("2026-01-14T03:00:00Z"));
    }

    @Test
    void forgets_what_another_schedule_told() {
        assertThat(at(Instant.parse("2026-01-10T12:00:00Z"), "2026-01-10T04:30:00Z")
                        .due())
                .isEmpty();
    }

    @Test
    void asks_for_nothing_while_it_is_suspended() {
        assertThat(Plan.of(nightly(true), THREE.toString(), THREE, List.of())).isEqualTo(Plan.NOTHING);
    }

    @Test
    void gives_a_run_the_same_name_each_time() {
        assertThat(Plan.name("db", THREE)).isEqualTo("db-20260110-0300");
    }

    @Test
    void keeps_the_newest_complete_ones_and_the_failures_among_them() {
        Plan plan = at(
                THREE,
                null,
                complete(scheduled(waiting("a", "1")), "2026-01-01T03:00:09Z"),
                failed(scheduled(waiting("b", "2")), "2026-01-02T03:00:09Z"),
                complete(scheduled(waiting("c", "3")), "2026-01-03T03:00:09Z"),
                failed(scheduled(waiting("d", "4")), "2026-01-04T03:00:09Z"),
                complete(scheduled(waiting("e", "5")), "2026-01-05T03:00:09Z"),
                scheduled(waiting("f", "6")));

        assertThat(plan.outdated())
                .extracting(backup -> backup.getMetadata().getName())
                .containsExactly("a", "b");
    }

    @Test
    void keeps_none_that_is_older_than_it_is_told_but_the_last_one() {
        List<MySQLBackup> all = List.of(
                complete(scheduled(waiting("a", "1")), "2026-01-01T03:00:00Z"),
                failed(scheduled(waiting("b", "2")), "2026-01-02T03:00:00Z"),
                complete(scheduled(waiting("c", "3")), "2026-01-03T03:00:00Z"),
                complete(scheduled(waiting("d", "4")), "2026-01-04T03:00:00Z"));

        assertThat(outdated(spec(false, 7, 7), THREE, all)).containsExactly("a", "b");
        assertThat(outdated(spec(false, 7, 7), THREE.plusSeconds(1), all)).containsExactly("c", "a", "b");
        assertThat(outdated(spec(false, 1, 7), THREE, all)).containsExactly("c", "a", "b");
        assertThat(outdated(spec(false, 7, 1), THREE.plus(Duration.ofDays(99)), all))
                .containsExactly("c", "a", "b");
        assertThat(outdated(spec(false, 7, 1), THREE, List.of())).isEmpty();
    }

    private static List<String> outdated(BackupSpec spec, Instant now, List<MySQLBackup> all) {
        return Plan.of(spec, null, now, all).outdated().stream()
                .map(backup -> backup.getMetadata().getName())
                .toList();
    }

    @Test
    void keeps_the_last_one_that_was_verified_until_a_newer_one_is() {
        MySQLBackup good = SampleBackups.tried(complete(scheduled(waiting("a", "1")), "2026-01-01T03:00:00Z"), true);
        MySQLBackup bad = SampleBackups.tried(complete(scheduled(waiting("b", "2")), "2026-01-02T03:00:00Z"), false);
        MySQLBackup untried = complete(scheduled(waiting("c", "3")), "2026-01-03T03:00:00Z");
        MySQLBackup later = SampleBackups.tried(complete(scheduled(waiting("d", "4")), "2026-01-04T03:00:00Z"), true);

        assertThat(outdated(spec(false, 1, null), THREE, List.of(good, bad, untried)))
                .containsExactly("b");
        assertThat(outdated(spec(false, 1, null), THREE, List.of(good, untried)))
                .as("that one was found to be of no use, and is gone")
                .isEmpty();
        assertThat(outdated(spec(false, 1, null), THREE, List.of(good, bad, later)))
                .containsExactly("b", "a");
    }

    @Test
    void the_last_backup_is_one_that_can_be_put_back() {
        MySQLBackup whole = complete(waiting("a", "1"), "2026-01-01T03:00:00Z");
        MySQLBackup some = complete(waiting("b", "2", "audit", "shop"), "2026-01-02T03:00:00Z");
        MySQLBackup bad = SampleBackups.tried(complete(waiting("c", "3"), "2026-01-03T03:00:00Z"), false);
        MySQLBackup going = complete(waiting("d", "4"), "2026-01-04T03:00:00Z");
        going.getMetadata().setDeletionTimestamp("2026-01-05T03:00:00Z");
        MySQLBackup failed = SampleBackups.failed(waiting("e", "5"), "2026-01-06T03:00:00Z");
        List<MySQLBackup> all = List.of(whole, some, bad, going, failed);

        assertThat(Schedule.last(null, all)).contains(whole);
        assertThat(Schedule.last(spec(false, 7, null), all)).contains(whole);
        assertThat(Schedule.last(null, List.of(some, bad, going, failed))).isEmpty();
        assertThat(Schedule.last(asking("shop"), all)).contains(some);
        assertThat(Schedule.last(asking("shop", "other"), all)).contains(whole);
    }

    private static BackupSpec asking(String... databases) {
        return new BackupSpec("0 3 * * *", null, false, 7, null, null, List.of(databases), null, null);
    }

    @Test
    void a_backup_that_failed_or_that_did_not_give_back_what_it_holds_makes_BackupHealthy_false() {
        MySQLBackup good = complete(waiting("a", "1"), "2026-01-01T03:00:00Z");
        MySQLBackup bad = SampleBackups.tried(complete(waiting("b", "2"), "2026-01-02T03:00:00Z"), false);
        MySQLBackup untried = complete(waiting("c", "3"), "2026-01-03T03:00:00Z");
        MySQLBackup later = SampleBackups.tried(complete(waiting("d", "4"), "2026-01-04T03:00:00Z"), true);
        MySQLBackup failed = SampleBackups.failed(waiting("e", "5"), "2026-01-05T03:00:00Z");

        assertThat(health()).isEmpty();
        assertThat(health(good)).isEqualTo("Complete a is complete");
        assertThat(health(good, bad)).isEqualTo("NotVerified b was not verified: it was loaded");
        assertThat(health(bad, untried)).isEqualTo("NotVerified b was not verified: it was loaded");
        assertThat(health(bad, later)).isEqualTo("Complete d is complete");
        assertThat(health(bad, failed)).startsWith("Failed e: ");
    }

    private static String health(MySQLBackup... all) {
        return Schedule.health(List.of(all))
                .map(health -> health.reason().reason() + " " + health.message())
                .orElse("");
    }

    @Test
    void leaves_alone_what_people_made() {
        assertThat(at(
                                THREE,
                                null,
                                complete(waiting("mine", "1"), "2026-01-01T03:00:09Z"),
                                complete(scheduled(waiting("b", "2")), "2026-01-02T03:00:09Z"),
                                complete(scheduled(waiting("c", "3")), "2026-01-03T03:00:09Z"))
                        .outdated())
                .isEmpty();
    }
}
