package io.busbar.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "1000m, 1",
        "1500m, 1500m",
        "0.5, 500m",
        "1.5, 1500m",
        "100000, 100k",
        "1000000, 1M",
        "1234567, 1234567",
        "1024Mi, 1Gi",
        "1.5Gi, 1536Mi",
        "1000Ki, 1000Ki",
        "0, 0",
        "0Gi, 0",
        "512, 512",
        "1Ki, 1Ki",
        "0.5Ki, 512",
        "1e3, 1e3",
        "12e6, 12e6",
        "-1, -1",
        "+5, 5",
        ".5, 500m",
        "1n, 1n",
        "0.1n, 1n",
        "2.0, 2",
        "1E, 1E",
        "1Ei, 1Ei"
    })
    void writes_amounts_as_the_api_server_does(String text, String canonical) {
        assertThat(Quantity.parse(text)).map(Quantity::canonical).contains(canonical);
        assertThat(Quantity.parse(canonical)).map(Quantity::canonical).contains(canonical);
    }

    @Test
    void writes_digits_as_it_writes_the_same_amount_with_a_point() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            long step = i % 2 == 0 ? 1000 : 1024;
            long digits = (random.nextLong() >> random.nextInt(63)) % 1_000_000_000_000_000L;
            long number = i % 3 == 0 ? digits : digits / step * step;
            for (String suffix : List.of("", "n", "u", "m", "k", "M", "E", "Ki", "Mi", "Ti", "Ei")) {
                assertThat(Quantity.parse(number + suffix))
                        .as(number + suffix)
                        .map(Quantity::canonical)
                        .isEqualTo(Quantity.parse(number + "." + suffix).map(Quantity::canonical));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "1 Gi", "1gi", "1mm", "--1", "1e", "Gi"})
    void refuses_what_is_no_amount(String text) {
        assertThat(Quantity.parse(text)).isEmpty();
    }
}
