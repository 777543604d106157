package io.busbar.operator.sidecarset.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.Yaml;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SidecarSetMatchingTest {

    private static final Map<String, String> SHOP = Map.of("app", "shop");

    @Test
    void selects_in_all_namespaces_unless_told_otherwise() {
        SidecarSetMatching matching = matching("selector: {matchLabels: {app: shop}}");

        assertThat(matching.matches(SHOP, "a", null)).isTrue();
        assertThat(matching.matches(Map.of("app", "till"), "a", null)).isFalse();
    }

    @Test
    void selects_nothing_without_a_selector_or_with_an_empty_one() {
        assertThat(matching("revisionHistoryLimit: 1").matches(SHOP, "a", null)).isFalse();
        assertThat(matching("selector: {}").matches(SHOP, "a", null)).isFalse();
        assertThat(matching("selector: {matchLabels: {}}").matches(SHOP, "a", null))
                .isFalse();
    }

    @Test
    void selects_namespaces_by_their_labels() {
        SidecarSetMatching matching =
                matching("{selector: {matchLabels: {app: shop}}, namespaceSelector: {matchLabels: {team: harbor}}}");

        assertThat(matching.matches(SHOP, "a", Map.of("team", "harbor"))).isTrue();
        assertThat(matching.matches(SHOP, "a", Map.of("team", "orchard"))).isFalse();
        assertThat(matching.matches(SHOP, "a", null)).isFalse();
    }

    @Test
    void knows_a_namespace_by_its_name_where_the_api_server_sets_no_such_label() {
        SidecarSetMatching matching = matching("""
                selector: {matchLabels: {app: shop}}
                namespaceSelector:
                  matchLabels: {kubernetes.io/metadata.name: a}
                  matchExpressions: [{key: kubernetes.io/metadata.name, operator: Exists}]
                """);

        assertThat(matching.matches(SHOP, "a", Map.of())).isTrue();
        assertThat(matching.matches(SHOP, "b", Map.of())).isFalse();
        assertThat(matching.matches(SHOP, "a", Map.of("kubernetes.io/metadata.name", "a")))
                .isTrue();
    }

    private static SidecarSetMatching matching(String spec) {
        return SidecarSetMatching.of(Yaml.spec(spec));
    }
}
