package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimetableTest {

    @Test
    void counts_in_utc_unless_a_zone_is_given() {
        Instant noon = Instant.parse("2026-01-10T12:00:00Z");

        assertThat(Timetable.of("30 3 * * *", null).next(noon)).contains(Instant.parse("2026-01-11T03:30:00Z"));
        assertThat(Timetable.of("30 3 * * *", "Asia/Tokyo").next(noon)).contains(Instant.parse("2026-01-10T18:30:00Z"));
    }

    @Test
    void knows_the_last_run_up_to_a_time_which_may_be_that_time() {
        Timetable hourly = Timetable.of("0 * * * *", null);
        Instant run = Instant.parse("2026-01-10T12:00:00Z");

        assertThat(hourly.last(run)).contains(run);
        assertThat(hourly.last(run.plusSeconds(3599))).contains(run);
        assertThat(hourly.has(run)).isTrue();
        assertThat(hourly.has(run.plusSeconds(60))).isFalse();
    }

    @Test
    void has_a_run_on_the_day_when_its_hour_is_left_out() {
        Timetable nightly = Timetable.of("30 2 * * *", "Europe/Berlin");
        Instant run = nightly.next(Instant.parse("2026-03-28T12:00:00Z")).orElseThrow();

        assertThat(run).isBetween(Instant.parse("2026-03-29T00:00:00Z"), Instant.parse("2026-03-30T02:00:00Z"));
        assertThat(nightly.has(run)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "* * * *", "0 0 3 * * *", "61 * * * *", "0 3 * * someday", "@daily"})
    void takes_five_fields_and_nothing_else(String schedule) {
        assertThatThrownBy(() -> Timetable.of(schedule, null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refuses_a_zone_that_is_not_there() {
        assertThatThrownBy(() -> Timetable.of("0 3 * * *", "Mars/Olympus"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Mars/Olympus");
    }
}
