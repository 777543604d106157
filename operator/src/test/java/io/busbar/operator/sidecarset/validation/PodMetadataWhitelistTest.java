package io.busbar.operator.sidecarset.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodMetadataWhitelistTest {

    private static final String RULES = """
            {"rules": [
              {"selector": {"matchLabels": {"team": "harbor"}}, "allowedAnnotationKeyExprs": ["^harbor/"]},
              {"allowedAnnotationKeyExprs": ["oom"]}]}
            """;

    @Test
    void allows_by_expression_what_a_rule_for_the_set_allows() {
        assertThat(refusal(RULES, false, "harbor/a")).isEmpty();
        assertThat(refusal(RULES, false, "my-oom-score")).isEmpty();
        assertThat(refusal(RULES, true, "other"))
                .contains("sidecarSet patch metadata annotation(other) is not allowed");
    }

    @Test
    void passes_over_rules_for_other_sets() {
        String rules = RULES.replace("harbor\"}", "orchard\"}");

        assertThat(refusal(rules, false, "harbor/a")).isPresent();
        assertThat(refusal(rules, false, "oom")).isEmpty();
    }

    @Test
    void leaves_it_to_the_switch_where_there_is_no_rule() {
        assertThat(refusal(null, true, "any")).isEmpty();
        assertThat(refusal(null, false, "any")).contains("SidecarSet patch metadata whitelist not found");
        assertThat(refusal("{\"rules\": []}", true, "any")).isEmpty();
        assertThat(refusal("{}", false, "any")).contains("sidecarSet patch metadata annotation is not allowed");
    }

    @Test
    void refuses_everything_while_the_rules_cannot_be_read() {
        assertThat(refusal("{", true, "any"))
                .get()
                .asString()
                .startsWith("the whitelist in ConfigMap kruise-configuration");
        assertThat(refusal("{\"rules\": [{\"allowedAnnotationKeyExprs\": [\"[\"]}]}", true, "any"))
                .isPresent();
    }

    private static Optional<String> refusal(String rules, boolean allowedByDefault, String key) {
        SidecarSet set = Yaml.set("logs", "patchPodMetadata: [{annotations: {" + key + ": v}}]");
        set.getMetadata().setLabels(Map.of("team", "harbor"));
        return new PodMetadataWhitelist(() -> Optional.ofNullable(rules), allowedByDefault).refusal(set);
    }
}
