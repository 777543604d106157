package io.busbar.sandbox.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronScheduleTest {

    @ParameterizedTest
    @CsvSource({
        "*/5 * * * *, 2026-01-01T00:05:00Z",
        "0 0 1 * *, 2026-02-01T00:00:00Z",
        "0 12 * * 0, 2026-01-04T12:00:00Z",
        "0 12 * * +0, 2026-01-04T12:00:00Z",
        "0 0 */20 * 3, 2026-01-07T00:00:00Z",
        "0 10/7 ? * *, 2026-01-01T10:00:00Z",
        "0 12 * JUL MON-FRI, 2026-07-01T12:00:00Z",
        "0 0 13 * 5, 2026-01-02T00:00:00Z",
        "0 0 ? * 1, 2026-01-05T00:00:00Z",
        "0 0 29 2 *, 2028-02-29T00:00:00Z",
        "@hourly, 2026-01-01T01:00:00Z",
        "@yearly, 2027-01-01T00:00:00Z",
        "@every 1h30m, 2026-01-01T01:30:00Z",
        "@every 1.5h, 2026-01-01T01:30:00Z",
        "@every 20ms, 2026-01-01T00:00:01Z",
    })
    void finds_the_next_time(String text, Instant next) {
        Instant after = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(CronSchedule.parse(text, ZoneOffset.UTC).next(after)).contains(next);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x | expected exactly 5 fields, found 1: [x]",
                "* * * * | expected exactly 5 fields, found 4: [* * * *]",
                "* * * * * * | expected exactly 5 fields, found 6: [* * * * * *]",
                "60 * * * * | end of range (60) above maximum (59): 60",
                "* 24 * * * | end of range (24) above maximum (23): 24",
                "* * 0 * * | beginning of range (0) below minimum (1): 0",
                "* * * * 7 | end of range (7) above maximum (6): 7",
                "5-2 * * * * | beginning of range (5) beyond end of range (2): 5-2",
                "1-2-3 * * * * | too many hyphens: 1-2-3",
                "*/2/3 * * * * | too many slashes: */2/3",
                "*/0 * * * * | step of range should be a positive number: */0",
                "a * * * * | failed to parse int from a: strconv.Atoi: parsing \"a\": invalid syntax",
                "-1 * * * * | failed to parse int from : strconv.Atoi: parsing \"\": invalid syntax",
                "@never | unrecognized descriptor: @never",
                "@Daily | unrecognized descriptor: @Daily",
                "@every | unrecognized descriptor: @every",
                "@every 5 | failed to parse duration @every 5: time: missing unit in duration \"5\"",
                "@every 5d | failed to parse duration @every 5d: time: unknown unit \"d\" in duration \"5d\"",
                "@every x | failed to parse duration @every x: time: invalid duration \"x\"",
                "TZ=Mars * * * * * | provided bad location Mars: unknown time zone Mars",
            })
    void refuses_what_is_none(String text, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CronSchedule.parse(text, ZoneOffset.UTC))
                .withMessage(why);
    }

    @Test
    void never_comes_when_a_field_names_nothing() {
        CronSchedule never = CronSchedule.parse(", * * * *", ZoneOffset.UTC);
        assertThat(never.next(Instant.EPOCH)).isEmpty();
        assertThat(never.due(Instant.EPOCH, Instant.EPOCH.plusSeconds(3600))).isEmpty();
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
