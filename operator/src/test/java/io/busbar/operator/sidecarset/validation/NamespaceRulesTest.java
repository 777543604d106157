package io.busbar.operator.sidecarset.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Verdict;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import org.junit.jupiter.api.Test;

class NamespaceRulesTest {

    private static final AdmissionRequest NO_REQUEST = null;

    @Test
    void a_namespace_wins_over_its_selector_with_a_warning() {
        Verdict verdict = verdict("{namespace: a, namespaceSelector: {matchLabels: {t: u}}}");

        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.warnings()).singleElement().asString().contains("spec.namespace (a) wins");
    }

    @Test
    void a_namespace_has_a_name_that_one_can_have() {
        assertThat(verdict("{namespace: A_b}").problems())
                .singleElement()
                .extracting(FieldProblem::path)
                .isEqualTo("spec.namespace");
    }

    @Test
    void says_nothing_of_a_set_with_one_of_both_or_none() {
        assertThat(verdict("{namespace: a}")).isEqualTo(Verdict.ok());
        assertThat(verdict("{namespaceSelector: {}, namespace: ''}")).isEqualTo(Verdict.ok());
        assertThat(verdict("{}")).isEqualTo(Verdict.ok());
    }

    private static Verdict verdict(String spec) {
        SidecarSet set = Yaml.read("metadata: {name: logs}\nspec: " + spec, SidecarSet.class);
        return new NamespaceRules().create(set, NO_REQUEST);
    }
}
