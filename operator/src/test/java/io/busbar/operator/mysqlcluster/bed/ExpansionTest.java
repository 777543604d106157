package io.busbar.operator.mysqlcluster.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ExpansionTest {

    private final Expansion expansion = new Expansion(Map.of("A", "one", "B", "$(A) \\1"));

    @Test
    void puts_values_in_the_place_of_names_and_does_not_look_at_them_again() {
        assertThat(expansion.expand("$(A)-$(B)")).isEqualTo("one-$(A) \\1");
    }

    @Test
    void leaves_alone_what_it_does_not_know_and_what_a_shell_would_expand() {
        assertThat(expansion.expand("$(C) $A ${A} $(A")).isEqualTo("$(C) $A ${A} $(A");
    }

    @Test
    void takes_two_dollar_signs_for_one() {
        assertThat(expansion.expand("$$(A) $$$(A) $$")).isEqualTo("$(A) $one $");
    }
}
