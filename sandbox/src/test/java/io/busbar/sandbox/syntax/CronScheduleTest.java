package io.busbar.sandbox.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {

    @ParameterizedTest
    @CsvSource({
        "*/5 * * * *, 2026-01-01T00:05:00Z",
        "0 0 1 * *, 2026-02-01T00:00:00Z",
        "0 12 * * 0, 2026-01-04T12:00:00Z",
        "0 12 * * 7, 2026-01-04T12:00:00Z",
        "0 12 * JUL MON-FRI, 2026-07-01T12:00:00Z",
        "0 0 13 * 5, 2026-01-02T00:00:00Z",
        "0 0 ? * 1, 2026-01-05T00:00:00Z",
        "0 0 29 2 *, 2028-02-29T00:00:00Z",
        "@hourly, 2026-01-01T01:00:00Z",
        "@yearly, 2027-01-01T00:00:00Z",
        "@every 1h30m, 2026-01-01T01:30:00Z",
    })
    void finds_the_next_time(String text, Instant next) {
        Instant after = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(CronSchedule.parse(text, ZoneOffset.UTC).next(after)).contains(next);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "* * * *",
                "* * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "@never",
                "@every",
                "@every 5"
            })
    void refuses_what_is_none(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> CronSchedule.parse(text, ZoneOffset.UTC));
    }

    @Test
    void goes_by_a_time_zone() {
        CronSchedule noon = CronSchedule.parse("0 12 * * *", ZoneId.of("Europe/Berlin"));
        assertThat(noon.next(Instant.parse("2026-07-01T00:00:00Z"))).contains(Instant.parse("2026-07-01T10:00:00Z"));
    }

    @Test
    void is_due_at_its_very_time_and_once() {
        CronSchedule hourly = CronSchedule.parse("0 * * * *", ZoneOffset.UTC);
        Instant three = Instant.parse("2026-01-01T03:00:00Z");
        assertThat(hourly.due(three.minusSeconds(1), three)).contains(three);
        assertThat(hourly.due(three, three)).isEmpty();
        assertThat(hourly.due(three, three.plusSeconds(3599))).isEmpty();
        assertThat(hourly.due(Instant.parse("2026-01-01T00:00:00Z"), three.plusSeconds(60)))
                .contains(three);
    }
}
