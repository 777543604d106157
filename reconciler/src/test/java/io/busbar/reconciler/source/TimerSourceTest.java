package io.busbar.reconciler.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class TimerSourceTest {

    private static final Instant NOON = Instant.parse("2026-03-28T12:00:00Z");

    @Test
    void an_interval_is_counted_from_the_time_before() {
        TimerSource source = TimerSource.every("often", Duration.ofMinutes(5));

        assertThat(source.next().apply(NOON)).contains(NOON.plusSeconds(300));
    }

    @Test
    void cron_is_meant_in_its_zone_and_knows_the_clocks_change() {
        TimerSource nightly = TimerSource.cron("nightly", "30 3 * * *", ZoneId.of("Europe/Berlin"));

        Instant first = nightly.next().apply(NOON).orElseThrow();
        assertThat(first).isEqualTo(Instant.parse("2026-03-29T01:30:00Z"));
        assertThat(nightly.next().apply(first)).contains(Instant.parse("2026-03-30T01:30:00Z"));
    }

    @Test
    void what_is_no_time_is_refused_with_what_is_allowed() {
        assertThatThrownBy(() -> TimerSource.cron("nightly", "at night", ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("event source nightly: 'at night' is not allowed; allowed: five fields of cron");
        assertThatThrownBy(() -> TimerSource.every("often", Duration.ZERO))
                .hasMessage("event source often: every PT0S is not allowed; allowed: more than PT0S");
    }
}
