package io.busbar.common.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {

    private static final long SECOND = 1_000_000_000L;

    private final TokenBucket bucket = new TokenBucket(2, 3, 0);

    @Test
    void promises_turns_further_and_further_off_once_the_burst_is_used() {
        for (int i = 0; i < 3; i++) {
            assertThat(bucket.reserve(0)).isZero();
        }
        assertThat(bucket.reserve(0)).isEqualTo(SECOND / 2);
        assertThat(bucket.reserve(0)).isEqualTo(SECOND);
        assertThat(bucket.reserve(SECOND)).isEqualTo(SECOND / 2);
    }

    @Test
    void fills_up_to_the_burst_and_no_further() {
        long later = 1000 * SECOND;
        for (int i = 0; i < 3; i++) {
            assertThat(bucket.tryTake(later)).isTrue();
        }
        assertThat(bucket.tryTake(later)).isFalse();
    }

    @Test
    void a_clock_that_goes_back_takes_nothing_away() {
        assertThat(bucket.tryTake(10 * SECOND)).isTrue();
        assertThat(bucket.tryTake(0)).isTrue();
        assertThat(bucket.tryTake(0)).isTrue();
        assertThat(bucket.tryTake(0)).isFalse();
    }
}
