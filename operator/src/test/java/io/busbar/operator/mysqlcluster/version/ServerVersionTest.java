package io.busbar.operator.mysqlcluster.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerVersionTest {

    @ParameterizedTest
    @CsvSource({
        "8,      8.0,   true",
        "8.0,    8.0,   true",
        "8.00,   8.0,   true",
        "11,     11.0,  true",
        "8.4,    8.4,   false",
        "8.40,   8.4,   false",
        "10.11,  10.11, false",
        "10.1,   10.1,  true",
        "1E+1,   10.0,  true",
    })
    void a_number_is_the_version_that_was_most_likely_meant(BigDecimal number, String text, boolean lostDigits) {
        assertThat(ServerVersion.of(number)).isEqualTo(new ServerVersion(text, lostDigits));
    }

    @Test
    void a_number_is_read_alike_whatever_its_type() {
        assertThat(ServerVersion.of(8)).isEqualTo(new ServerVersion("8.0", true));
        assertThat(ServerVersion.of(8L)).isEqualTo(new ServerVersion("8.0", true));
        assertThat(ServerVersion.of(8.0)).isEqualTo(new ServerVersion("8.0", true));
        assertThat(ServerVersion.of(10.11)).isEqualTo(new ServerVersion("10.11", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.0", "8", "10.10", "8.4.3-debian", "latest", "11.4.2_ubi"})
    void text_stays_as_it_is(String text) {
        assertThat(ServerVersion.of(text)).isEqualTo(new ServerVersion(text, false));
    }

    @Test
    void without_a_word_it_is_what_older_clusters_have() {
        assertThat(ServerVersion.of(null).text()).isEqualTo("8.4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "8.0 ", "-8", ".8", "8/0", "a:b", "8.0\n"})
    void what_cannot_be_a_tag_is_refused(String text) {
        assertThatThrownBy(() -> ServerVersion.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be a version such as \"8.0\", in quotes");
    }

    @Test
    void neither_is_what_is_no_version_at_all() {
        assertThatThrownBy(() -> ServerVersion.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ServerVersion.of(-8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ServerVersion.of(true)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ServerVersion.of("8".repeat(129))).isInstanceOf(IllegalArgumentException.class);
    }
}
