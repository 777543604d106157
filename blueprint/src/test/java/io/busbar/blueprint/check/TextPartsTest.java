package io.busbar.blueprint.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextPartsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.b",
                "{\"a\": {\"b\": 1}}",
                "'}' + \"}\"",
                "'it\\'s }'",
                "\"${VAR}\"",
                "r'\\' + '}'",
                "'''a ' } '''",
                "a // what } this is\n",
                "[{}, {}].map(x, {'a': x})"
            })
    void one_expression_is_all_between_its_braces(String code) {
        TextParts parts = TextParts.of("${" + code + "}");

        assertThat(parts.flaw()).isEmpty();
        assertThat(parts.isStandalone()).isTrue();
        assertThat(parts.parts().get(0).text()).isEqualTo(code);
    }

    @Test
    void several_expressions_and_what_is_between_them_are_told_apart() {
        TextParts parts = TextParts.of("a${b}-$c${{'d': '}'}}$");

        assertThat(parts.isStandalone()).isFalse();
        assertThat(parts.parts())
                .containsExactly(
                        new TextParts.Part(false, "a", 0),
                        new TextParts.Part(true, "b", 3),
                        new TextParts.Part(false, "-$c", 5),
                        new TextParts.Part(true, "{'d': '}'}", 10),
                        new TextParts.Part(false, "$", 21));
    }

    @Test
    void a_space_around_an_expression_makes_it_part_of_a_text() {
        assertThat(TextParts.of("${a}\n").isStandalone()).isFalse();
        assertThat(TextParts.of(" ${a}").isStandalone()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "a ${b       # the expression has no closing brace                     # 2",
                "${{b}       # the expression has no closing brace                     # 0",
                "a ${} b     # the expression is empty                                 # 2",
                "${ }        # the expression is empty                                 # 0",
                "${a + \"b}  # a text within the expression has no closing quote       # 6",
                "${a(${b})}  # an expression stands within an expression; only texts within it can have ${ # 4",
            })
    void tells_what_is_wrong_and_where(String text, String flaw, int at) {
        assertThat(TextParts.of(text).flaw()).isEqualTo(flaw);
        assertThat(TextParts.of(text).flawAt()).isEqualTo(at);
    }
}
