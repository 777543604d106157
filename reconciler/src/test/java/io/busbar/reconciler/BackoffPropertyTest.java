package io.busbar.reconciler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BackoffPropertyTest {

    private final Backoff standard = Backoff.standard();

    @Property
    void never_shrinks_and_stays_within_its_bounds(@ForAll @IntRange(min = 1) int failures) {
        Duration delay = standard.delay(failures);

        assertThat(delay).isBetween(standard.initial(), standard.maximum());
        assertThat(standard.delay(Math.max(1, failures - 1))).isLessThanOrEqualTo(delay);
    }

    @Example
    void doubles_from_five_milliseconds_to_a_thousand_seconds() {
        assertThat(standard.delay(1)).hasMillis(5);
        assertThat(standard.delay(2)).hasMillis(10);
        assertThat(standard.delay(10)).hasMillis(2560);
        assertThat(standard.delay(18)).hasMillis(655_360);
        assertThat(standard.delay(19)).hasSeconds(1000);
    }

    @Example
    void refuses_a_maximum_below_the_initial_delay() {
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT2S");
    }
}
