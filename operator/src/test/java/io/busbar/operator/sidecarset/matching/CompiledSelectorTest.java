package io.busbar.operator.sidecarset.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.sidecarset.Yaml;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompiledSelectorTest {

    @Test
    void selects_nothing_when_absent_and_everything_when_empty() {
        assertThat(CompiledSelector.of(null).matches(Map.of())).isFalse();
        assertThat(selector("{}").matches(Map.of())).isTrue();
        assertThat(selector("{}").matches(null)).isTrue();
    }

    @Test
    void wants_each_label_with_its_value() {
        CompiledSelector selector = selector("{matchLabels: {app: shop, tier: front}}");

        assertThat(selector.matches(Map.of("app", "shop", "tier", "front", "more", "x")))
                .isTrue();
        assertThat(selector.matches(Map.of("app", "shop", "tier", "back"))).isFalse();
        assertThat(selector.matches(Map.of("app", "shop"))).isFalse();
        assertThat(selector.matches(null)).isFalse();
    }

    @Test
    void reads_the_four_operators() {
        CompiledSelector selector = selector("""
                matchExpressions:
                - {key: ring, operator: In, values: ["0", "1"]}
                - {key: lang, operator: NotIn, values: [php]}
                - {key: keep, operator: Exists}
                - {key: skip, operator: DoesNotExist}
                """);

        assertThat(selector.matches(Map.of("ring", "1", "keep", ""))).isTrue();
        assertThat(selector.matches(Map.of("ring", "1", "keep", "", "lang", "go")))
                .isTrue();
        assertThat(selector.matches(Map.of("ring", "2", "keep", ""))).isFalse();
        assertThat(selector.matches(Map.of("keep", ""))).isFalse();
        assertThat(selector.matches(Map.of("ring", "1", "keep", "", "lang", "php")))
                .isFalse();
        assertThat(selector.matches(Map.of("ring", "1"))).isFalse();
        assertThat(selector.matches(Map.of("ring", "1", "keep", "", "skip", "x")))
                .isFalse();
    }

    @Test
    void refuses_an_operator_that_the_api_does_not_know() {
        assertThatThrownBy(() -> selector("matchExpressions: [{key: a, operator: Near}]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Near");
        assertThatThrownBy(() -> selector("matchExpressions: [{key: a}]")).isInstanceOf(IllegalArgumentException.class);
    }

    private static CompiledSelector selector(String yaml) {
        return CompiledSelector.of(Yaml.read(yaml, LabelSelector.class));
    }
}
