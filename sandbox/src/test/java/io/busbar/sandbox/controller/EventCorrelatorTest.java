package io.busbar.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.controller.EventCorrelator.Correlated;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EventCorrelatorTest {

    private final EventCorrelator correlator = new EventCorrelator();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private Optional<Correlated> tell(String message) {
        return correlator.correlate("uid", "Normal", "Reason", message, now);
    }

    @Test
    void counts_what_is_said_again() {
        Correlated first = tell("a").orElseThrow();
        first.named("event");
        assertThat(first.count()).isEqualTo(1);
        Correlated second = tell("a").orElseThrow();
        assertThat(second.isFirst()).isFalse();
        assertThat(second.count()).isEqualTo(2);
        assertThat(tell("b").orElseThrow().isFirst()).isTrue();
    }

    @Test
    void makes_one_of_many_that_differ_in_words_alone() {
        for (int i = 1; i < 10; i++) {
            assertThat(tell("m" + i).orElseThrow().message()).isEqualTo("m" + i);
        }
        assertThat(tell("m10").orElseThrow().message()).isEqualTo("(combined from similar events): m10");
        Correlated next = tell("m11").orElseThrow();
        assertThat(next.message()).isEqualTo("(combined from similar events): m11");
        assertThat(next.count()).isEqualTo(2);
        now = now.plus(Duration.ofMinutes(11));
        assertThat(tell("m12").orElseThrow().message()).isEqualTo("m12");
    }

    @Test
    void tells_of_one_object_only_so_much_at_a_time() {
        for (int i = 0; i < 25; i++) {
            assertThat(tell("a")).isPresent();
        }
        assertThat(tell("a")).isEmpty();
        assertThat(correlator.correlate("other", "Normal", "Reason", "a", now)).isPresent();
        now = now.plus(Duration.ofMinutes(5));
        assertThat(tell("a").orElseThrow().count()).isEqualTo(27);
        assertThat(tell("a")).isEmpty();
    }
}
