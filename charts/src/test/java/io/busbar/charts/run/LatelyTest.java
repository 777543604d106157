package io.busbar.charts.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class LatelyTest {

    private Instant now = Instant.EPOCH;
    private final Lately lately = new Lately(() -> now);

    @Test
    void what_was_tried_is_known_for_a_minute_while_the_instance_is_the_same() {
        lately.note("uid", 1, "this");

        now = Instant.EPOCH.plusSeconds(59);
        assertThat(lately.has("uid", 1, "this")).isTrue();
        assertThat(lately.has("uid", 2, "this")).as("it has changed").isFalse();
        assertThat(lately.has("other", 1, "this")).isFalse();
        assertThat(lately.has("uid", 1, "that")).isFalse();
        now = Instant.EPOCH.plusSeconds(60);
        assertThat(lately.has("uid", 1, "this"))
                .as("when the instance is looked at again")
                .isFalse();
    }
}
