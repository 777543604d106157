package io.busbar.charts.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlDocumentsTest {

    /** The right side is what {@code sigs.k8s.io/yaml} makes of the left one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            yes          | true
            off          | false
            0644         | 420
            10           | 10
            0x10         | 16
            1_000        | 1000
            12:30        | "12:30"
            2026-01-01   | "2026-01-01"
            1.5          | 1.5
            "1.0"        | "1.0"
            v1.0         | "v1.0"
            ~            | null
            'yes'        | "yes"
            """, quoteCharacter = '`')
    void reads_values_as_helm_does(String yaml, String json) {
        assertThat(YamlDocuments.read("value: " + yaml).get(0).path("value").toString())
                .isEqualTo(json);
    }

    @Test
    void reads_several_documents_and_refuses_a_key_that_is_there_twice() {
        assertThat(YamlDocuments.read("a: 1\n---\n# nothing\n---\nb: 2")).hasSize(2);
        assertThatThrownBy(() -> YamlDocuments.read("a: 1\na: 2")).hasMessageContaining("duplicate key a");
    }
}
