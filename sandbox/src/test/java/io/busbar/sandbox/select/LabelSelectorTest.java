package io.busbar.sandbox.select;

import static io.busbar.sandbox.Json.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {

    private static final JsonNode LABELS = json("{app: 'web', tier: 'front', empty: '', size: '12'}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "app=web",
                "app==web",
                "app != db",
                "missing!=x",
                "app in (web, db)",
                "app in(web)",
                "app notin (db)",
                "missing notin (x)",
                "app",
                "!missing",
                "app=web,tier=front",
                " app = web , !missing ",
                "empty=",
                "empty",
                "empty in ()",
                "empty in (,)",
                "size>11",
                "size<13",
                "app in (x,,web)",
                "in!=in"
            })
    void selects(String selector) {
        assertThat(LabelSelector.parse(selector).matches(LABELS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app=db",
                "app!=web",
                "app in (db)",
                "app notin (web,db)",
                "missing",
                "!app",
                "app=web,tier=back",
                "app=",
                "size>12",
                "size<12",
                "app>1",
                "app<1",
                "missing>1"
            })
    void passes_over(String selector) {
        assertThat(LabelSelector.parse(selector).matches(LABELS)).isFalse();
    }

    @Test
    void takes_missing_labels_for_no_labels() {
        assertThat(LabelSelector.parse("!app").matches(null)).isTrue();
        assertThat(LabelSelector.parse("app").matches(MissingNode.getInstance()))
                .isFalse();
        assertThat(LabelSelector.parse("app!=web").matches(json("null"))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    a in      | unable to parse requirement: found '' expected: '('
                    a===b     | unable to parse requirement: found '=', expected: identifier
                    a in (x   | unable to parse requirement: found '', expected: ',' or ')'
                    a in (x y)| unable to parse requirement: found 'y', expected: ',' or ')'
                    !!a       | unable to parse requirement: found '!', expected: identifier
                    a b       | unable to parse requirement: found 'b', expected: '=', '!=', '==', 'in', notin'
                    a!        | unable to parse requirement: found '!', expected: '=', '!=', '==', 'in', notin'
                    =a        | found '=', expected: !, identifier, or 'end of string'
                    ,         | found ',', expected: !, identifier, or 'end of string'
                    (a)       | found '(', expected: !, identifier, or 'end of string'
                    a=b=c     | found '=', expected: ',' or 'end of string'
                    !a=b      | found '=', expected: ',' or 'end of string'
                    a,,b      | found ',', expected: identifier after ','
                    a,        | found '', expected: identifier after ','
                    a>x       | unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer
                    """)
    void refuses_in_the_words_of_the_api_server(String selector, String message) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(SelectorException.class)
                .hasMessage(message);
    }

    @Test
    void refuses_a_key_or_a_value_that_no_label_can_have() {
        assertThatThrownBy(() -> LabelSelector.parse("a-_=b"))
                .hasMessage(
                        "unable to parse requirement: <nil>: Invalid value: \"a-_\": name part must consist of alphanumeric"
                                + " characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g."
                                + " 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
                                + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
        assertThatThrownBy(() -> LabelSelector.parse("a in (-x)"))
                .hasMessage("unable to parse requirement: values[0][a]: Invalid value: \"-x\": a valid label must be an"
                        + " empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
                        + " an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation"
                        + " is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
        assertThatThrownBy(() -> LabelSelector.parse("x/y/z"))
                .hasMessageStartingWith(
                        "unable to parse requirement: <nil>: Invalid value: \"x/y/z\": a valid label key must consist")
                .hasMessageEndingWith("with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }

    @Test
    void reads_the_form_that_objects_hold() {
        LabelSelector selector = LabelSelector.of(json("""
                {matchLabels: {app: 'web'}, matchExpressions: [
                  {key: 'tier', operator: 'In', values: ['front', 'back']},
                  {key: 'size', operator: 'NotIn', values: ['1']},
                  {key: 'empty', operator: 'Exists'},
                  {key: 'missing', operator: 'DoesNotExist'}]}"""));

        assertThat(selector.matches(LABELS)).isTrue();
        assertThat(selector.matches(json("{app: 'web'}"))).isFalse();
    }

    @Test
    void selects_nothing_for_null_and_everything_for_an_empty_object() {
        assertThat(LabelSelector.of(null).matches(LABELS)).isFalse();
        assertThat(LabelSelector.of(null).isEverything()).isFalse();
        assertThat(LabelSelector.of(json("{}")).matches(LABELS)).isTrue();
        assertThat(LabelSelector.of(json("{}")).isEverything()).isTrue();
    }

    @Test
    void refuses_an_expression_that_cannot_be_meant() {
        assertThatThrownBy(() -> LabelSelector.of(json("{matchExpressions: [{key: 'a', operator: 'Like'}]}")))
                .hasMessage("\"Like\" is not a valid pod selector operator");
        assertThatThrownBy(() -> LabelSelector.of(json("{matchExpressions: [{key: 'a', operator: 'In'}]}")))
                .hasMessage("for 'in', 'notin' operators, values set can't be empty");
        assertThatThrownBy(() ->
                        LabelSelector.of(json("{matchExpressions: [{key: 'a', operator: 'Exists', values: ['b']}]}")))
                .hasMessage("values set must be empty for exists and does not exist");
    }
}
