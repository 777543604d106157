package io.busbar.charts.render;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTextTest {

    @Test
    void has_each_call_of_lookup_find_nothing() {
        assertThat(TemplateText.prepared(
                        "a {{- $s := (lookup \"v1\" \"Secret\" .ns `x`).data }}{{lookup .a .b .c .d}} lookup"))
                .isEqualTo(
                        "a {{- $s := (pick (dict) \"v1\" \"Secret\" .ns `x`).data }}{{pick (dict) .a .b .c .d}} lookup");
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
