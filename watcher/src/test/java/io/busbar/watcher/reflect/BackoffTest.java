package io.busbar.watcher.reflect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final AtomicLong now = new AtomicLong(Duration.ofHours(1).toNanos());
    private final Backoff backoff = new Backoff(ReflectorOptions.standard(), now::get, () -> 0.5);

    @Test
    void doubles_from_less_than_a_second_to_half_a_minute() {
        assertThat(Stream.generate(backoff::afterFailure).limit(8).map(Duration::toMillis))
                .containsExactly(800L, 1600L, 3200L, 6400L, 12800L, 25600L, 30000L, 30000L);
    }

    @Test
    void begins_anew_after_two_healthy_minutes() {
        backoff.afterFailure();
        backoff.afterFailure();
        now.addAndGet(Duration.ofSeconds(119).toNanos());
        assertThat(backoff.afterFailure()).hasMillis(3200);
        now.addAndGet(Duration.ofSeconds(121).toNanos());
        assertThat(backoff.afterFailure()).hasMillis(800);
    }

    @Test
    void spreads_the_waits_by_a_quarter_and_never_beyond_the_longest() {
        Backoff jittery = new Backoff(
                ReflectorOptions.standard(),
                now::get,
                () -> ThreadLocalRandom.current().nextDouble());
        for (long step : new long[] {800, 1600, 3200, 6400, 12800, 25600, 30000, 30000}) {
            assertThat(jittery.afterFailure().toMillis()).isBetween(step * 3 / 4 - 1, Math.min(30_000, step * 5 / 4));
        }
    }
}
