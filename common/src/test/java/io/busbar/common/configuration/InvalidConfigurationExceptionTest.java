package io.busbar.common.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class InvalidConfigurationExceptionTest {

    @Test
    void says_all_problems_a_line_each() {
        ConfigurationProblem port = new ConfigurationProblem("--webhook-port", "x", "1 to 65535");
        ConfigurationProblem format = new ConfigurationProblem("--log-format", "xml", "text or json");
        InvalidConfigurationException exception = new InvalidConfigurationException(List.of(port, format));

        assertThat(exception.problems()).containsExactly(port, format);
        assertThat(exception).hasMessage("""
                        --webhook-port: 'x' is not allowed; allowed: 1 to 65535
                        --log-format: 'xml' is not allowed; allowed: text or json""");
    }

    @Test
    void is_not_thrown_for_nothing() {
        assertThatThrownBy(() -> new InvalidConfigurationException(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
