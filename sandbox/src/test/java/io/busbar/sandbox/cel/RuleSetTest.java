package io.busbar.sandbox.cel;

import static io.busbar.sandbox.Json.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.schema.StructuralSchema;
import io.busbar.sandbox.status.FieldCause;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RuleSetTest {

    private static @Nullable RuleSet rules(ObjectNode schema) {
        return RuleSet.of(schema, StructuralSchema.of(schema));
    }

    private static List<String> broken(String schema, String object, String before) {
        return Objects.requireNonNull(rules(yaml(schema)))
                .check(yaml(object), before.isEmpty() ? null : yaml(before))
                .stream()
                .map(RuleSetTest::text)
                .toList();
    }

    private static List<String> broken(String schema, String object) {
        return broken(schema, object, "");
    }

    private static String text(FieldCause cause) {
        return cause.reason() + " " + cause.field() + ": " + cause.message();
    }

    private static String spec(String rules, String properties) {
        return "{type: object, properties: {spec: {type: object, x-kubernetes-validations: [" + rules
                + "], properties: {" + properties + "}}}}";
    }

    @Test
    void nothing_is_made_of_a_schema_without_rules() {
        assertThat(rules(yaml("{type: object, properties: {spec: {type: object}}}")))
                .isNull();
    }

    @Test
    void a_broken_rule_is_told_where_it_stands() {
        String schema = spec("{rule: 'self.min <= self.max'}", "min: {type: integer}, max: {type: integer}");
        assertThat(broken(schema, "{spec: {min: 1, max: 2}}")).isEmpty();
        assertThat(broken(schema, "{spec: {min: 3, max: 2}}"))
                .containsExactly("FieldValueInvalid spec: Invalid value: failed rule: self.min <= self.max");
        assertThat(broken(schema, "{spec: {min: 3}}"))
                .containsExactly(
                        "FieldValueInvalid spec: Invalid value: \"object\": no such key: max evaluating rule: self.min <= self.max");
    }

    @Test
    void a_rule_says_its_message_its_reason_and_its_field() {
        String schema = spec(
                "{rule: 'self.n < 3', message: 'too many', reason: FieldValueForbidden, fieldPath: .n},"
                        + "{rule: 'self.n < 4', messageExpression: '\"%d is not less than 4\".format([self.n])'}",
                "n: {type: integer}");
        assertThat(broken(schema, "{spec: {n: 7}}"))
                .containsExactly(
                        "FieldValueForbidden spec.n: Forbidden: too many",
                        "FieldValueInvalid spec: Invalid value: 7 is not less than 4");
    }

    @Test
    void the_root_has_its_name_and_no_path() {
        String schema =
                "{type: object, x-kubernetes-validations: [{rule: \"self.metadata.name.startsWith('a')\"}], properties: {}}";
        assertThat(broken(schema, "{apiVersion: v1, kind: K, metadata: {name: abc}}"))
                .isEmpty();
        assertThat(broken(schema, "{apiVersion: v1, kind: K, metadata: {name: xyz}}")
                        .get(0))
                .startsWith("FieldValueInvalid <nil>: Invalid value: failed rule: ");
    }

    @Test
    void rules_stand_in_lists_and_maps_too() {
        String schema = spec(
                "{rule: 'true'}",
                "list: {type: array, items: {type: string, x-kubernetes-validations: [{rule: 'self.size() < 3'}]}},"
                        + "map: {type: object, additionalProperties: {type: integer, x-kubernetes-validations: [{rule: 'self > 0'}]}}");
        assertThat(broken(schema, "{spec: {list: [a, abc], map: {k: 1, l: 0}}}"))
                .containsExactly(
                        "FieldValueInvalid spec.list[1]: Invalid value: \"abc\": failed rule: self.size() < 3",
                        "FieldValueInvalid spec.map[l]: Invalid value: 0: failed rule: self > 0");
    }

    @Test
    void transitions_are_judged_only_when_there_was_something() {
        String schema = spec("{rule: 'self.n >= oldSelf.n'}", "n: {type: integer}");
        assertThat(broken(schema, "{spec: {n: 1}}")).isEmpty();
        assertThat(broken(schema, "{spec: {n: 1}}", "{spec: {n: 2}}")).hasSize(1);
        assertThat(broken(schema, "{spec: {n: 2}}", "{}")).isEmpty();
    }

    @Test
    void an_optional_old_value_is_judged_always() {
        String schema =
                spec("{rule: 'oldSelf.hasValue() || self.n == 0', optionalOldSelf: true}", "n: {type: integer}");
        assertThat(broken(schema, "{spec: {n: 1}}")).hasSize(1);
        assertThat(broken(schema, "{spec: {n: 0}}")).isEmpty();
        assertThat(broken(schema, "{spec: {n: 1}}", "{spec: {n: 5}}")).isEmpty();
    }

    @Test
    void items_of_a_map_are_told_by_their_keys() {
        String schema = spec(
                "{rule: 'true'}",
                "items: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object,"
                        + " x-kubernetes-validations: [{rule: 'self.n >= oldSelf.n'}], properties: {k: {type: string}, n: {type: integer}}}}");
        assertThat(broken(
                        schema,
                        "{spec: {items: [{k: b, n: 1}, {k: a, n: 5}, {k: c, n: 0}]}}",
                        "{spec: {items: [{k: a, n: 4}, {k: b, n: 2}]}}"))
                .containsExactly("FieldValueInvalid spec.items[0]: Invalid value: failed rule: self.n >= oldSelf.n");
    }

    @Test
    void what_was_wrong_before_may_stay() {
        String schema = spec(
                "{rule: 'true'}",
                "a: {type: integer, x-kubernetes-validations: [{rule: 'self > 5'}]}," + " b: {type: integer}");
        assertThat(broken(schema, "{spec: {a: 1, b: 2}}", "{spec: {a: 1, b: 1}}"))
                .isEmpty();
        assertThat(broken(schema, "{spec: {a: 2, b: 2}}", "{spec: {a: 1, b: 1}}"))
                .hasSize(1);
    }

    @Test
    void fields_have_escaped_names() {
        String schema = spec(
                "{rule: \"self.a__dash__b == 'x' && self.__namespace__ == 'y' && self.c__dot__d == 'z'\"}",
                "a-b: {type: string}, namespace: {type: string}, c.d: {type: string}");
        assertThat(broken(schema, "{spec: {a-b: x, namespace: y, c.d: z}}")).isEmpty();
    }

    @Test
    void values_have_the_types_of_their_formats() {
        String schema = spec(
                "{rule: \"self.t > timestamp('2020-01-01T00:00:00Z') && self.d < duration('2h') && self.p == 80 && self.n == 1.0\"}",
                "t: {type: string, format: date-time}, d: {type: string, format: duration},"
                        + " p: {x-kubernetes-int-or-string: true}, n: {type: number}");
        assertThat(broken(schema, "{spec: {t: '2024-01-01T00:00:00Z', d: 1h30m, p: 80, n: 1}}"))
                .isEmpty();
    }

    @Test
    void a_rule_that_goes_on_and_on_is_stopped() {
        String schema = spec(
                "{rule: 'self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0)))', message: endless}, {rule: 'false'}",
                "l: {type: array, items: {type: integer}}");
        ObjectNode object = yaml("{spec: {l: []}}");
        for (int i = 0; i < 200; i++) {
            object.withObject("/spec").withArray("l").add(i);
        }
        assertThat(Objects.requireNonNull(rules(yaml(schema))).check(object, null).stream()
                        .map(RuleSetTest::text))
                .containsExactly(
                        "FieldValueInvalid spec: Invalid value: \"object\": 'operation cancelled: actual cost limit exceeded':"
                                + " no further validation rules will be run due to call cost exceeds limit for rule: endless",
                        "FieldValueInvalid spec: Invalid value: \"object\": validation failed due to running out of cost budget,"
                                + " no further validation rules will be run");
    }
}
