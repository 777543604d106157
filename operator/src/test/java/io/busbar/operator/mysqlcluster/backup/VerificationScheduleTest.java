package io.busbar.operator.mysqlcluster.backup;

import static io.busbar.operator.mysqlcluster.backup.SampleBackups.complete;
import static io.busbar.operator.mysqlcluster.backup.SampleBackups.failed;
import static io.busbar.operator.mysqlcluster.backup.SampleBackups.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.VerificationSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VerificationScheduleTest {

    private static final Instant FIVE = Instant.parse("2026-01-10T05:00:00Z");

    private final MySQLBackup older = complete(waiting("older", "1"), "2026-01-09T03:00:00Z");
    private final MySQLBackup newest = complete(waiting("newest", "2"), "2026-01-10T03:00:00Z");

    private static Optional<String> due(Instant now, MySQLBackup... all) {
        return VerificationSchedule.due(new VerificationSpec("0 5 * * *", null, null), now, List.of(all))
                .map(verify -> verify.backup().getMetadata().getName() + " " + verify.request());
    }

    private static MySQLBackup asked(MySQLBackup backup, String request) {
        backup.getMetadata().setAnnotations(Map.of(ClusterKeys.VERIFY.name(), request));
        return backup;
    }

    @Test
    void asks_for_the_newest_complete_one_that_was_there_then() {
        MySQLBackup later = complete(waiting("later", "3"), "2026-01-10T06:00:00Z");
        MySQLBackup broken = failed(waiting("broken", "4"), "2026-01-10T04:00:00Z");

        assertThat(due(FIVE.plusSeconds(7200), older, newest, later, broken)).contains("newest 2026-01-10T05:00:00Z");
        assertThat(due(FIVE, broken)).isEmpty();
        assertThat(due(FIVE, later)).isEmpty();
    }

    @Test
    void asks_once_for_each_time_and_makes_up_for_the_last_that_was_missed() {
        assertThat(due(FIVE, older, asked(newest, FIVE.toString()))).isEmpty();
        assertThat(due(FIVE.plusSeconds(86399), older, newest)).isEmpty();
        assertThat(due(FIVE.plusSeconds(3 * 86400), older, newest)).contains("newest 2026-01-13T05:00:00Z");
    }

    @Test
    void what_people_ask_for_does_not_count() {
        assertThat(due(FIVE, asked(newest, "please"))).contains("newest 2026-01-10T05:00:00Z");
    }
}
