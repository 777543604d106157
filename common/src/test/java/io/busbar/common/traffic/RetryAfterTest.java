package io.busbar.common.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void seconds_and_dates_are_understood() {
        assertThat(RetryAfter.of(429, "7", NOW)).contains(Duration.ofSeconds(7));
        assertThat(RetryAfter.of(503, " 0 ", NOW)).contains(Duration.ZERO);
        assertThat(RetryAfter.of(503, "Sun, 01 Mar 2026 12:00:30 GMT", NOW)).contains(Duration.ofSeconds(30));
        assertThat(RetryAfter.of(503, "Sun, 01 Mar 2026 11:00:00 GMT", NOW)).contains(Duration.ZERO);
    }

    @Test
    void too_many_requests_are_always_a_reason_to_wait() {
        assertThat(RetryAfter.of(429, null, NOW)).contains(Duration.ofSeconds(1));
        assertThat(RetryAfter.of(429, "soon", NOW)).contains(Duration.ofSeconds(1));
        assertThat(RetryAfter.of(429, "99999999999999999999", NOW)).contains(Duration.ofSeconds(1));
    }

    @Test
    void a_server_that_is_only_away_says_nothing_of_when() {
        assertThat(RetryAfter.of(503, null, NOW)).isEmpty();
        assertThat(RetryAfter.of(503, "-1", NOW)).isEmpty();
        assertThat(RetryAfter.of(500, "1", NOW)).isEmpty();
        assertThat(RetryAfter.of(200, "1", NOW)).isEmpty();
    }
}
