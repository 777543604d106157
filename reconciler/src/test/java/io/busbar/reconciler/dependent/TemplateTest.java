package io.busbar.reconciler.dependent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TemplateTest {

    @Test
    void a_value_that_is_one_hole_takes_the_type_of_what_fills_it() {
        Deployment filled = template("spec: {replicas: '${size}', selector: {matchLabels: '${labels}'}}")
                .fill(Deployment.class, Map.of("size", 3, "labels", Map.of("app", "a")));

        assertThat(filled.getSpec().getReplicas()).isEqualTo(3);
        assertThat(filled.getSpec().getSelector().getMatchLabels()).isEqualTo(Map.of("app", "a"));
    }

    @Test
    void text_around_a_hole_stays() {
        assertThat(filled("${a}-${b}-x", Map.of("a", "one", "b", 2))).isEqualTo("one-2-x");
    }

    @Test
    void a_value_cannot_change_the_structure_nor_make_a_hole() {
        assertThat(filled("${a}", Map.of("a", "x\nlabels: {b: ${c}} $1"))).isEqualTo("x\nlabels: {b: ${c}} $1");
    }

    @Test
    void references_of_kubernetes_and_escaped_holes_are_text() {
        assertThat(filled("$(HOST) $$(HOST) $HOME $${a} ${a}", Map.of("a", "b")))
                .isEqualTo("$(HOST) $$(HOST) $HOME ${a} b");
        assertThat(filled("$${a}", Map.of())).isEqualTo("${a}");
    }

    @Test
    void a_hole_without_a_value_is_a_bug() {
        assertThatThrownBy(() -> filled("${a}", Map.of("b", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no value for ${a} in test.yaml");
        assertThatThrownBy(() -> filled("-${a", Map.of("a", 1))).hasMessage("no value for ${a in test.yaml");
    }

    @Test
    void is_not_changed_by_being_filled() {
        Template template = template("data: {k: '${a}'}");
        template.fill(ConfigMap.class, Map.of("a", "1"));

        assertThat(template.fill(ConfigMap.class, Map.of("a", "2")).getData()).isEqualTo(Map.of("k", "2"));
    }

    @Test
    void a_file_that_is_not_there_is_a_bug() {
        assertThatThrownBy(() -> Template.beside(TemplateTest.class, "none.yaml"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none.yaml");
    }

    private static String filled(String text, Map<String, ?> values) {
        return template("data: {k: '" + text + "'}")
                .fill(ConfigMap.class, values)
                .getData()
                .get("k");
    }

    private static Template template(String yaml) {
        return Template.of("test.yaml", "---\n" + yaml);
    }
}
