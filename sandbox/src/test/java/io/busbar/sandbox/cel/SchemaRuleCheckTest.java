package io.busbar.sandbox.cel;

import static io.busbar.sandbox.Json.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaRuleCheckTest {

    private static List<String> flaws(String schema) {
        return SchemaRuleCheck.of("s", yaml(schema), true).stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .toList();
    }

    private static List<String> flawsOf(String rule) {
        return flaws("{type: object, properties: {n: {type: integer}, s: {type: string}, raw: {type: object,"
                + " x-kubernetes-preserve-unknown-fields: true}}, x-kubernetes-validations: [" + rule + "]}");
    }

    private static String shown(String rule) {
        return "Invalid value: {\"Rule\":\"" + rule
                + "\",\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}: ";
    }

    @Test
    void types_are_checked() {
        assertThat(flawsOf("{rule: 'self.foo > 3'}"))
                .containsExactly("s.x-kubernetes-validations[0].rule: " + shown("self.foo > 3")
                        + "compilation failed: ERROR: <input>:1:5: undefined field 'foo'\n | self.foo > 3\n | ....^");
        assertThat(flawsOf("{rule: 'self.s > 3'}"))
                .containsExactly("s.x-kubernetes-validations[0].rule: " + shown("self.s > 3")
                        + "compilation failed: ERROR: <input>:1:8: found no matching overload for '_>_' applied to '(string,"
                        + " int)'\n | self.s > 3\n | .......^");
        assertThat(flawsOf("{rule: 'self.n'}"))
                .containsExactly("s.x-kubernetes-validations[0].rule: " + shown("self.n")
                        + "cel expression must evaluate to a bool");
    }

    @Test
    void the_form_is_checked_first() {
        assertThat(flawsOf("{rule: ' '}, {rule: 'self.foo', message: ' '}, {rule: 'true', reason: Whim},"
                        + " {rule: 'true', fieldPath: .nowhere}, {rule: 'true', message: \"a\\nb\"}"))
                .containsExactly(
                        "s.x-kubernetes-validations[0].rule: Required value: rule is not specified",
                        "s.x-kubernetes-validations[1].message: Invalid value: \" \": message must be non-empty if specified",
                        "s.x-kubernetes-validations[2].reason: Unsupported value: \"Whim\": supported values:"
                                + " \"FieldValueDuplicate\", \"FieldValueForbidden\", \"FieldValueInvalid\","
                                + " \"FieldValueRequired\"",
                        "s.x-kubernetes-validations[3].fieldPath: Invalid value: \".nowhere\": must be a valid path",
                        "s.x-kubernetes-validations[4].message: Invalid value: \"a\\nb\": message must not contain line breaks");
    }

    @Test
    void messages_are_texts() {
        assertThat(flawsOf("{rule: 'true', messageExpression: 'self.n'}").get(0))
                .startsWith("s.x-kubernetes-validations[0].messageExpression: ")
                .endsWith("messageExpression must evaluate to a string");
    }

    @Test
    void old_values_must_be_known() {
        assertThat(flaws("{type: object, properties: {l: {type: array, items: {type: integer,"
                        + " x-kubernetes-validations: [{rule: 'self >= oldSelf'}]}}}}"))
                .containsExactly(
                        "s.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: \"self >= oldSelf\":"
                                + " oldSelf cannot be used on the uncorrelatable portion of the schema within s.properties[l]");
        assertThat(flawsOf("{rule: 'true', optionalOldSelf: true}"))
                .containsExactly(
                        "s.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf"
                                + " is not used in rule");
    }

    @Test
    void what_has_no_schema_cannot_be_used() {
        assertThat(flawsOf("{rule: 'self.raw.x == 1'}").get(0)).contains("undefined field 'x'");
    }

    @Test
    void what_rules_may_cost_is_limited() {
        String unlimited = "{type: array, items: {type: string}, x-kubernetes-validations: [{rule: 'self.all(x,"
                + " self.all(y, x == y))'}]}";
        String where = "s.properties[l].x-kubernetes-validations[0].rule: Forbidden: ";
        String advice = " exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems,"
                + " maxProperties, and maxLength where arrays, maps, and strings are declared)";
        assertThat(flaws("{type: object, properties: {l: " + unlimited + "}}"))
                .containsExactly(
                        where + "estimated rule cost" + advice,
                        where
                                + "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
                        "s: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
                                + advice);
        assertThat(flaws(
                        "{type: object, properties: {l: " + unlimited.replace("items:", "maxItems: 20, items:") + "}}"))
                .as("strings of any length")
                .hasSize(3);
        assertThat(flaws("{type: object, properties: {l: "
                        + unlimited.replace("items: {type: string", "maxItems: 20, items: {type: string, maxLength: 20")
                        + "}}"))
                .isEmpty();
    }

    @Test
    void a_rule_below_lists_is_counted_once_for_each_item() {
        String below = "{type: array, items: {type: object, properties: {s: {type: string, maxLength: 400,"
                + " x-kubernetes-validations: [{rule: 'self.contains(\"0123456789\")'}]}}}";
        assertThat(flaws(below + ", maxItems: 100000}"))
                .containsExactly(
                        "s.items.properties[s].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost"
                                + " exceeds budget by factor of 1.6x (try simplifying the rule, or adding maxItems, maxProperties,"
                                + " and maxLength where arrays, maps, and strings are declared)");
        assertThat(flaws(below + ", maxItems: 60000}")).isEmpty();
    }
}
