package io.busbar.watcher.reflect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LivenessTest {

    private final AtomicLong now = new AtomicLong(Duration.ofHours(1).toNanos());
    private final Liveness liveness = new Liveness(ReflectorOptions.standard(), now::get);

    @Test
    void gives_up_a_list_that_says_nothing_for_half_a_minute() {
        liveness.begin(Duration.ZERO);
        pass(25);
        liveness.sign();
        pass(30);
        assertThat(liveness.verdict(false)).isNull();
        pass(1);
        assertThat(liveness.verdict(false)).isNotNull();
    }

    @Test
    void lets_a_quiet_watch_be_until_its_time_is_over() {
        liveness.begin(Duration.ofMinutes(5));
        liveness.sign();
        pass(330);
        assertThat(liveness.verdict(true)).isNull();
        pass(1);
        assertThat(liveness.verdict(true)).isNotNull();
    }

    @Test
    void gives_up_a_watch_whose_bookmarks_stop() {
        liveness.begin(Duration.ofMinutes(10));
        liveness.sign();
        liveness.bookmark();
        pass(150);
        assertThat(liveness.verdict(true)).isNull();
        pass(1);
        assertThat(liveness.verdict(true)).isNotNull();
    }

    @Test
    void gives_up_a_watch_that_is_never_answered() {
        liveness.begin(Duration.ofMinutes(10));
        pass(31);
        assertThat(liveness.verdict(true)).isNotNull();
    }

    @Test
    void counts_the_time_since_the_last_bookmark_over_requests() {
        assertThat(liveness.bookmarkAge()).isEmpty();
        liveness.begin(Duration.ofMinutes(10));
        liveness.bookmark();
        pass(5);
        liveness.begin(Duration.ofMinutes(10));
        liveness.sign();
        pass(5);
        assertThat(liveness.bookmarkAge()).hasValue(Duration.ofSeconds(10));
        liveness.bookmark();
        assertThat(liveness.bookmarkAge()).hasValue(Duration.ZERO);
    }

    @Test
    void counts_staleness_over_requests() {
        pass(5);
        liveness.begin(Duration.ZERO);
        pass(5);
        assertThat(liveness.staleness()).hasSeconds(10);
        liveness.sign();
        assertThat(liveness.staleness()).isZero();
    }

    private void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }
}
