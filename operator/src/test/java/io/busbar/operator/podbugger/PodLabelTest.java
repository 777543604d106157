package io.busbar.operator.podbugger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodLabelTest {

    @Test
    void reads_key_and_value() {
        assertThat(PodLabel.parse("app=shop")).isEqualTo(new PodLabel("app", "shop"));
        assertThat(PodLabel.parse("example.com/tier=")).isEqualTo(new PodLabel("example.com/tier", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"app=shop", "a.b/C_d=E-f", "x=", "app.kubernetes.io/name=my.app_1"})
    void is_written_as_it_was_read(String text) {
        assertThat(PodLabel.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "app, must be key=value",
        "'', must be key=value",
        "=shop, the key must be a qualified name",
        "a b=c, the key must be a qualified name",
        "A.com/x=c, the key must be a qualified name",
        "app==shop, the value must be a label's",
        "app=-shop, the value must be a label's",
    })
    void says_what_is_wrong(String text, String problem) {
        assertThatThrownBy(() -> PodLabel.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(problem);
    }

    @Test
    void is_no_longer_than_labels_may_be() {
        String most = "a".repeat(63);
        assertThat(PodLabel.parse(most + "=" + most)).isNotNull();

        assertThatThrownBy(() -> PodLabel.parse(most + "a=b")).hasMessageContaining("no more than 63");
        assertThatThrownBy(() -> PodLabel.parse("b=" + most + "a")).hasMessageContaining("at most 63");
    }
}
