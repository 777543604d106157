package io.busbar.common.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestGateTest {

    private final AtomicLong now = new AtomicLong(1000);

    @Test
    void a_pause_holds_for_all_and_a_shorter_one_does_not_end_it() {
        RequestGate gate = RequestGate.unlimited(now::get);
        gate.shutFor(Duration.ofSeconds(5));
        gate.shutFor(Duration.ofSeconds(2));

        assertThat(gate.turn()).isEqualTo(Duration.ofSeconds(5));
        pass(Duration.ofSeconds(4));
        assertThat(gate.pause()).isEqualTo(Duration.ofSeconds(1));
        pass(Duration.ofSeconds(1));
        assertThat(gate.turn()).isZero();
    }

    @Test
    void a_pause_of_hours_is_not_believed() {
        RequestGate gate = RequestGate.unlimited(now::get);
        gate.shutFor(Duration.ofDays(1));

        assertThat(gate.pause()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void beyond_the_rate_turns_are_later_and_later() {
        RequestGate gate = RequestGate.limited(2, 1, now::get);

        assertThat(gate.turn()).isZero();
        assertThat(gate.turn()).isEqualTo(Duration.ofMillis(500));
        assertThat(gate.turn()).isEqualTo(Duration.ofSeconds(1));
        assertThat(gate.pause()).as("what does not count, such as a watch").isZero();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
