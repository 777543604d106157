package io.busbar.runtime.flags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {

    @ParameterizedTest
    @CsvSource({"0,PT0S", "30s,PT30S", "1h30m,PT1H30M", "1.5s,PT1.5S", "250ms,PT0.25S", "10h,PT10H", "5us,PT0.000005S"})
    void reads_what_go_reads(String text, Duration expected) {
        assertThat(new GoDuration().convert(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-1s", "1d", "1h 2m", "1..5s"})
    void refuses_anything_else(String text) {
        assertThatThrownBy(() -> new GoDuration().convert(text))
                .hasMessageContaining("'" + text + "' is not allowed")
                .hasMessageContaining("such as 1h30m");
    }

    @Test
    void adds_parts_in_any_order() {
        assertThat(new GoDuration().convert("1s1h")).isEqualTo(Duration.ofSeconds(3601));
    }
}
