package io.busbar.sandbox.cel;

import static io.busbar.sandbox.Json.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.sandbox.cel.AuthorizerFunctions.Decision;
import io.busbar.sandbox.cel.AuthorizerFunctions.Question;
import io.busbar.sandbox.status.Causes;
import org.junit.jupiter.api.Test;

class MatchConditionsTest {

    private static MatchConditions.Verdict judge(String... expressions) {
        var conditions = yaml("{}").putArray("conditions");
        for (String expression : expressions) {
            conditions.addObject().put("name", "c" + conditions.size()).put("expression", expression);
        }
        return MatchConditions.of(conditions)
                .judge(new AdmissionInput(
                        yaml("{operation: UPDATE, userInfo: {username: me, groups: [a]}, dryRun: false}"),
                        yaml("{metadata: {name: n, labels: {a/b: c}}}"),
                        null,
                        null,
                        yaml("{metadata: {name: here}}"),
                        Question.by(asked -> new Decision(asked.verb().equals("get"), ""))
                                .about("", "pods", "", "here", "n")));
    }

    @Test
    void all_must_be_true() {
        assertThat(judge("object.metadata.name == 'n'", "request.operation == 'UPDATE'")
                        .matches())
                .isTrue();
        assertThat(judge("object.metadata.name == 'n'", "'a' in request.userInfo.groups && oldObject != null")
                        .matches())
                .isFalse();
        assertThat(judge("object.metadata.labels['a/b'] == 'c'").matches()).isTrue();
        assertThat(judge("authorizer.requestResource.check('get').allowed()").matches())
                .isTrue();
        assertThat(judge("authorizer.group('').resource('pods').namespace(namespaceObject.metadata.name).check('list')"
                                + ".allowed()")
                        .matches())
                .isFalse();
    }

    @Test
    void an_error_counts_only_when_none_is_false() {
        assertThat(judge("object.spec.x == 1", "true").errors())
                .containsExactly("expression 'object.spec.x == 1' resulted in error: no such key: spec");
        assertThat(judge("object.spec.x == 1", "false").matches()).isFalse();
    }

    @Test
    void are_checked_when_they_are_made() {
        Causes causes = new Causes();
        MatchConditions.check(
                causes,
                "webhooks[0].matchConditions",
                yaml("{c: [{name: a, expression: 'object.'}, {name: a, expression: '1'}, {name: '!'}]}")
                        .path("c"));
        assertThat(causes.list())
                .extracting(cause -> cause.field() + " " + cause.reason())
                .containsExactly(
                        "webhooks[0].matchConditions[0].expression FieldValueInvalid",
                        "webhooks[0].matchConditions[1].expression FieldValueInvalid",
                        "webhooks[0].matchConditions[1].name FieldValueDuplicate",
                        "webhooks[0].matchConditions[2].expression FieldValueRequired",
                        "webhooks[0].matchConditions[2].name FieldValueInvalid");
        assertThat(causes.list().get(1).message()).isEqualTo("Invalid value: \"1\": must evaluate to bool but got int");
    }
}
