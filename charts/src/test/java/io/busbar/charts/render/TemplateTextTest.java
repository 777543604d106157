package io.busbar.charts.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.charts.render.ChartFolder.LookedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTextTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\0',
            delimiter = ';',
            value = {
                "a {{- $s := (lookup \"v1\" \"Secret\" .ns `x`).data }} lookup;"
                        + " a {{- $s := (CALL \"v1\" \"Secret\" .ns `x`)))).data }} lookup",
                "{{lookup .a .b .c .d}}; {{CALL .a .b .c .d)))}}",
                "{{- with lookup (print \"v\" 1) $k.x  \"\" (.a ) | default dict -}};"
                        + " {{- with CALL (print \"v\" 1) $k.x \"\" (.a )))) | default dict -}}",
                "{{lookup \"v1\" \"X\" (lookup .a .b .c .d).n ((.d))-}};"
                        + " {{CALL \"v1\" \"X\" (CALL .a .b .c .d)))).n ((.d)))))-}}",
                "{{ .name | lookup \"v1\" \"Secret\" .ns }}; {{ .name | pick (dict) \"v1\" \"Secret\" .ns }}",
                "{{ .name | lookup \"v1\" \"X\" (lookup .a .b .c .d).n }};"
                        + " {{ .name | pick (dict) \"v1\" \"X\" (CALL .a .b .c .d)))).n }}"
            })
    void writes_each_call_of_lookup_as_one_of_the_template_that_answers(String text, String expected) {
        assertThat(TemplateText.prepared(text))
                .isEqualTo(expected.replace("CALL", "(fromJson (include \"busbar.lookup\" (list"));
    }

    @Test
    void tells_the_kinds_that_are_named_plainly() {
        assertThat(TemplateText.lookedUp("""
                                {{ lookup "v1" "Secret" .a (lookup `v1` `Node` "" "") }} {{ lookup .v "Pod" "" "" }} {{ "lookup 1 2 3 4" }}
                                """))
                .containsExactlyInAnyOrder(new LookedUp("v1", "Secret", false), new LookedUp("v1", "Node", true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lookup outside",
                "{{ .lookup }} {{ $lookup }} {{ .Values.lookup.x }} {{ lookups }}",
                "{{ \"a \\\" lookup\" }} {{ `lookup }}` }}",
                "{{/* lookup */}} {{ fail \"lookup\" }}",
                "{{ unfinished \"lookup",
                "{{ unfinished /* lookup"
            })
    void leaves_alone_what_is_no_call(String text) {
        assertThat(TemplateText.prepared(text)).isEqualTo(text);
    }

    @Test
    void writes_annotations_of_hooks_otherwise_and_back() {
        String text = "\"helm.sh/hook\": pre-install\nhelm.sh/hook-weight: 1\nhelm.sh/resource-policy: keep";
        String prepared = TemplateText.prepared(text);

        assertThat(prepared).doesNotContain("helm.sh/hook").contains("helm.sh/resource-policy");
        assertThat(TemplateText.restored(prepared)).isEqualTo(text);
    }
}
