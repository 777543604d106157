package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestoreSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RestoreRulesTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final String SET = "aaaaaaaa-0000-0000-0000-000000000001:1-5";

    private static String problems(@Nullable String backupName, @Nullable String pointInTime, @Nullable String gtid) {
        return RestoreRules.problems(new MySQLRestoreSpec("db", backupName, pointInTime, gtid), NOW)
                .toString();
    }

    @Test
    void a_backup_or_how_far_is_enough() {
        assertThat(problems("b", null, null)).isEqualTo("[]");
        assertThat(problems(null, "2026-01-31T12:00:00Z", null)).isEqualTo("[]");
        assertThat(problems(null, "2026-01-31T13:00:00+01:00", null)).isEqualTo("[]");
        assertThat(problems("b", null, "0-101-57,1-102-3")).isEqualTo("[]");
        assertThat(problems(null, null, SET)).isEqualTo("[]");
    }

    @Test
    void anything_else_is_refused_with_the_field_and_what_is_allowed() {
        assertThat(problems(null, null, null)).contains("spec.backupName", "unless pointInTime or gtid is given");
        assertThat(problems("b", "2026-01-31T12:00:00Z", SET))
                .contains("spec.gtid", "must be left out where pointInTime is given");
        assertThat(problems(null, "2026-01-31T12:00:01Z", null))
                .contains("spec.pointInTime", "2026-01-31T12:00:01Z", "must be in the past: it is " + NOW + " now");
        for (String moment : new String[] {"yesterday", "2026-01-31", "2026-01-31T12:00:00", "2026-02-30T12:00:00Z"}) {
            assertThat(problems(null, moment, null))
                    .contains("spec.pointInTime", moment, "must be a time with a date and a zone");
        }
        for (String gtid : new String[] {"", "0-101", "binlog.000001", SET + "-"}) {
            assertThat(problems("b", null, gtid)).contains("spec.gtid", "must be a GTID set of MySQL, or a position");
        }
    }
}
