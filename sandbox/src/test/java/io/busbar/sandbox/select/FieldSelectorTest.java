package io.busbar.sandbox.select;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSelectorTest {

    private static final ObjectNode POD = object(
            "{metadata: {name: 'a', namespace: 'n'}, spec: {nodeName: 'node-1', restartPolicy: 'Always'}, status: {phase: 'Running'}}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "metadata.name=a",
                "metadata.name==a",
                "metadata.name!=b",
                "spec.nodeName=node-1,status.phase!=Pending",
                "spec.host=node-1",
                "status.podIP=",
                "spec.nodeName!="
            })
    void selects(String selector) {
        assertThat(FieldSelector.parse(selector)
                        .supportedBy("", "Pod", Set.of())
                        .matches(POD))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "metadata.name=b",
                "metadata.name!=a",
                "metadata.namespace=n,status.phase=Failed",
                "spec.nodeName="
            })
    void passes_over(String selector) {
        assertThat(FieldSelector.parse(selector)
                        .supportedBy("", "Pod", Set.of())
                        .matches(POD))
                .isFalse();
    }

    @Test
    void reads_escaped_separators() {
        assertThat(FieldSelector.parse("metadata.name=x\\,y\\=z\\\\").required("metadata.name"))
                .contains("x,y=z\\");
    }

    @Test
    void takes_the_zero_of_its_type_for_an_absent_field() {
        assertThat(FieldSelector.parse("spec.unschedulable=false").matches(object("{}")))
                .isTrue();
        assertThat(FieldSelector.parse("spec.unschedulable=true").matches(object("{spec: {unschedulable: true}}")))
                .isTrue();
        assertThat(FieldSelector.parse("status.successful=2").matches(object("{status: {succeeded: 2}}")))
                .isTrue();
    }

    @Test
    void finds_an_event_by_either_spelling_of_its_group() {
        ObjectNode event = object("{involvedObject: {name: 'p', kind: 'Pod'}, source: {component: 'kubelet'}}");

        assertThat(FieldSelector.parse("involvedObject.name=p,source=kubelet").matches(event))
                .isTrue();
        assertThat(FieldSelector.parse("regarding.name=p").matches(event)).isTrue();
        assertThat(FieldSelector.parse("regarding.name=q").matches(event)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    a                  | invalid selector: 'a'; can't understand 'a'
                    a=b,metadata.name>a| invalid selector: 'a=b,metadata.name>a'; can't understand 'metadata.name>a'
                    metadata.name=a=b  | invalid field selector: unescaped character in value: 61
                    metadata.name=a\\b | invalid field selector: invalid escape sequence: \\b
                    """)
    void refuses_in_the_words_of_the_api_server(String selector, String message) {
        assertThatThrownBy(() -> FieldSelector.parse(selector))
                .isInstanceOf(SelectorException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ``               | Pod        | field label not supported: spec.foo
                    ``               | Node       | field label not supported: spec.foo
                    example.com      | Memcached  | field label not supported: spec.foo
                    ``               | ConfigMap  | "spec.foo" is not a known field selector: only "metadata.name", "metadata.namespace"
                    apps             | Deployment | "spec.foo" is not a known field selector: only "metadata.name", "metadata.namespace"
                    batch            | Job        | field label "spec.foo" not supported for batchv1.Job
                    batch            | CronJob    | field label "spec.foo" not supported for "CronJob"
                    events.k8s.io    | Event      | field label not supported: spec.foo
                    """)
    void refuses_a_field_that_the_kind_cannot_be_selected_by(String group, String kind, String message) {
        FieldSelector selector = FieldSelector.parse("metadata.name=a,spec.foo=b");

        assertThatThrownBy(() -> selector.supportedBy(group, kind, Set.of()))
                .isInstanceOf(SelectorException.class)
                .hasMessage(message);
    }
}
