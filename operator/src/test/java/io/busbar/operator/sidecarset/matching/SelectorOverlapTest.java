package io.busbar.operator.sidecarset.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.Yaml;
import io.fabric8.kubernetes.api.model.LabelSelector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorOverlapTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {matchLabels: {a: h}}                                             | {matchLabels: {a: h}}                                             | true
            {matchLabels: {a: h}}                                             | {matchLabels: {b: i}}                                             | true
            {matchLabels: {a: h}}                                             | {matchLabels: {a: i}}                                             | false
            {matchLabels: {a: h, c: d}}                                       | {matchLabels: {a: i, c: d}}                                       | false
            {matchExpressions: [{key: a, operator: In, values: [b, c]}]}      | {matchLabels: {a: b}}                                             | true
            {matchExpressions: [{key: a, operator: In, values: [b, c]}]}      | {matchExpressions: [{key: a, operator: In, values: [c, d]}]}      | true
            {matchExpressions: [{key: a, operator: In, values: [b, c]}]}      | {matchExpressions: [{key: a, operator: In, values: [d]}]}         | false
            {matchExpressions: [{key: a, operator: In, values: [b, c]}]}      | {matchExpressions: [{key: a, operator: NotIn, values: [b, c, d]}]} | false
            {matchExpressions: [{key: a, operator: In, values: [b, c]}]}      | {matchExpressions: [{key: a, operator: NotIn, values: [b]}]}      | true
            {matchLabels: {a: b}}                                             | {matchExpressions: [{key: a, operator: Exists}]}                  | true
            {matchExpressions: [{key: a, operator: Exists}]}                  | {matchExpressions: [{key: a, operator: Exists}]}                  | true
            {matchLabels: {b: i}}                                             | {matchExpressions: [{key: a, operator: Exists}]}                  | false
            {matchLabels: {a: b}}                                             | {matchExpressions: [{key: a, operator: DoesNotExist}]}            | false
            {matchLabels: {b: i}}                                             | {matchExpressions: [{key: a, operator: DoesNotExist}]}            | true
            {matchExpressions: [{key: a, operator: NotIn, values: [b]}]}      | {matchExpressions: [{key: a, operator: NotIn, values: [c]}]}      | true
            """)
    void says_whether_one_object_could_be_selected_by_both(String one, String other, boolean expected) {
        LabelSelector first = Yaml.read(one, LabelSelector.class);
        LabelSelector second = Yaml.read(other, LabelSelector.class);

        assertThat(SelectorOverlap.overlap(first, second)).isEqualTo(expected);
        assertThat(SelectorOverlap.overlap(second, first)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: x}} | namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: x}} | true
            namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: x}} | revisionHistoryLimit: 1 | true
            namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: x}} | namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: y}} | false
            namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: x}} | namespaceSelector: {matchLabels: {team: harbor}} | true
            namespaceSelector: {matchLabels: {team: a}} | namespaceSelector: {matchLabels: {team: b}} | false
            """)
    void keeps_sets_apart_whose_namespaces_are(String one, String other, boolean expected) {
        String selector = "selector: {matchLabels: {app: shop}}\n";

        assertThat(SelectorOverlap.overlap(Yaml.spec(selector + one), Yaml.spec(selector + other)))
                .isEqualTo(expected);
    }
}
