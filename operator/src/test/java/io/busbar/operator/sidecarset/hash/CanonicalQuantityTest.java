package io.busbar.operator.sidecarset.hash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalQuantityTest {

    @ParameterizedTest
    @CsvSource({
        "1000m, 1",
        "1500m, 1500m",
        "0.5, 500m",
        "1.5, 1500m",
        "1024Mi, 1Gi",
        "1.5Gi, 1536Mi",
        "0.5Gi, 512Mi",
        "1000Ki, 1000Ki",
        "1023, 1023",
        "1Ki, 1Ki",
        "0.5Ki, 512",
        "0.1Ki, 102400m",
        "2147483648, 2147483648",
        "3000000000, 3G",
        "3e9, 3e9",
        "12e2, 1200",
        "1E, 1E",
        "0, 0",
        "0Mi, 0",
        "+5, 5",
        "-1500m, -1500m",
        ".5, 500m",
        "0.0000000001, 1n",
        "10Ei, 9223372036854775807",
    })
    void spells_a_quantity_as_the_api_server_does(String written, String canonical) {
        assertThat(CanonicalQuantity.parse(written)).hasToString("Optional[" + canonical + "]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "1 Gi", "ten", "1Kib", "1e", "--1", "1.2.3"})
    void knows_what_is_no_quantity(String text) {
        assertThat(CanonicalQuantity.parse(text)).isEmpty();
        assertThat(CanonicalQuantity.spelled(text, 9)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1.0001, 1001m", "100u, 1m", "1Gi, 1Gi", "2m, 2m"})
    void rounds_resources_up_to_thousandths(String written, String canonical) {
        assertThat(CanonicalQuantity.spelled(written, 3)).isEqualTo(canonical);
    }
}
