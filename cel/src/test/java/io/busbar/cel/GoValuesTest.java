package io.busbar.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoValuesTest {

    @ParameterizedTest
    @CsvSource({
        "1.0, 1",
        "-0.0, -0",
        "0.1, 0.1",
        "1e20, 100000000000000000000",
        "1e21, 1e+21",
        "-1.5e300, -1.5e+300",
        "1e-6, 0.000001",
        "1.25e-7, 1.25e-7",
        "1e-10, 1e-10",
        "2e23, 2e+23"
    })
    void write_numbers_as_the_json_of_go(double number, String json) {
        assertThat(GoValues.json(number)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource({
        "PT1H30M, 1h30m0s",
        "PT90S, 1m30s",
        "PT1.5S, 1.5s",
        "PT-1.5S, -1.5s",
        "PT0S, 0s",
        "PT0.0015S, 1.5ms",
        "PT0.0000015S, 1.5µs",
        "PT0.000000002S, 2ns",
        "PT100H, 100h0m0s"
    })
    void write_durations_as_go(Duration duration, String text) {
        assertThat(GoValues.text(duration)).isEqualTo(text);
    }

    @Test
    void keep_the_digits_of_what_is_no_double() {
        assertThat(GoValues.text(new BigDecimal("12345.678901234567890123"))).isEqualTo("12345.678901234567890123");
        assertThat(GoValues.text(new BigDecimal("-1000000"))).isEqualTo("-1e+06");
    }
}
