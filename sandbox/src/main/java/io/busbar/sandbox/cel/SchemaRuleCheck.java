package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.busbar.sandbox.schema.FieldPath;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import java.util.List;
import java.util.Map;

/**
 * Whether the rules of a schema may stand in a definition: they are complete, and they compile.
 *
 * <p>One thread, once. Nothing of CEL is loaded for a schema without rules.
 */
public final class SchemaRuleCheck {

    private static final List<String> REASONS =
            List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

    private final Causes form = new Causes();
    private final Causes compilation = new Causes();

    private SchemaRuleCheck() {}

    /** @param sound whether the schema itself is, so that its rules can be compiled */
    public static List<FieldCause> of(String path, JsonNode schema, boolean sound) {
        SchemaRuleCheck check = new SchemaRuleCheck();
        check.walk(path, schema, true, "", sound);
        return check.form.isEmpty() ? check.compilation.list() : check.form.list();
    }

    /** @param uncorrelated the outermost part of the schema whose old values cannot be told; empty for none */
    private void walk(String path, JsonNode schema, boolean resource, String uncorrelated, boolean sound) {
        String atomicMap = schema.path("x-kubernetes-map-type").asText("").equals("atomic") && uncorrelated.isEmpty()
                ? path
                : uncorrelated;
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            walk(
                    path + ".properties[" + property.getKey() + "]",
                    property.getValue(),
                    SchemaTypes.isEmbedded(property.getValue()),
                    atomicMap,
                    sound);
        }
        JsonNode additional = schema.path("additionalProperties");
        if (additional.isObject()) {
            walk(path + ".additionalProperties", additional, SchemaTypes.isEmbedded(additional), uncorrelated, sound);
        }
        JsonNode items = schema.path("items");
        if (items.isObject()) {
            boolean map = schema.path("x-kubernetes-list-type").asText("").equals("map");
            walk(
                    path + ".items",
                    items,
                    SchemaTypes.isEmbedded(items),
                    map || !uncorrelated.isEmpty() ? uncorrelated : path,
                    sound);
        }
        JsonNode rules = schema.path("x-kubernetes-validations");
        RuleCompiler compiler = sound && !rules.isEmpty() ? new RuleCompiler(schema, resource) : null;
        for (int i = 0; i < rules.size(); i++) {
            SchemaRule rule = SchemaRule.of(rules.path(i));
            String at = path + ".x-kubernetes-validations[" + i + "]";
            form(at, rule, schema);
            if (compiler != null && !rule.rule().isBlank()) {
                compile(at, rule, compiler, uncorrelated);
            }
        }
    }

    private void form(String path, SchemaRule rule, JsonNode schema) {
        if (rule.rule().isBlank()) {
            form.required(path + ".rule", "rule is not specified");
        } else if (!rule.message().isEmpty() && rule.message().isBlank()) {
            form.invalid(path + ".message", rule.message(), "message must be non-empty if specified");
        } else if (hasBreaks(rule.message().strip())) {
            form.invalid(path + ".message", rule.message(), "message must not contain line breaks");
        } else if (hasBreaks(rule.rule().strip()) && rule.message().isBlank()) {
            form.required(path + ".message", "message must be specified if rule contains line breaks");
        }
        if (!rule.messageExpression().isEmpty() && rule.messageExpression().isBlank()) {
            form.required(path + ".messageExpression", "messageExpression must be non-empty if specified");
        }
        if (!rule.reason().isEmpty() && !REASONS.contains(rule.reason())) {
            form.unsupported(path + ".reason", rule.source().path("reason"), REASONS);
        }
        if (hasBreaks(rule.fieldPath())) {
            form.invalid(path + ".fieldPath", rule.fieldPath(), "fieldPath must not contain line breaks");
        }
        if (!rule.fieldPath().isEmpty()
                && !FieldPath.of(rule.fieldPath(), schema, true).flaw().isEmpty()) {
            form.invalid(path + ".fieldPath", rule.fieldPath(), "must be a valid path");
        }
    }

    private void compile(String path, SchemaRule rule, RuleCompiler compiler, String uncorrelated) {
        boolean usesOldSelf = false;
        try {
            usesOldSelf = compiler.rule(rule).usesOldSelf();
        } catch (CompilationException e) {
            compilation.invalid(path + ".rule", rule.shownWhole(), String.valueOf(e.getMessage()));
        }
        if (!rule.messageExpression().isEmpty()) {
            try {
                compiler.message(rule);
            } catch (CompilationException e) {
                compilation.invalid(path + ".messageExpression", rule.shownWhole(), String.valueOf(e.getMessage()));
            }
        }
        if (usesOldSelf && !uncorrelated.isEmpty()) {
            compilation.add(FieldCause.invalid(
                    path + ".rule",
                    GoText.quote(rule.rule()),
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within " + uncorrelated));
        } else if (!usesOldSelf && rule.tellsOptionalOldSelf()) {
            compilation.invalid(
                    path + ".optionalOldSelf",
                    BooleanNode.valueOf(rule.optionalOldSelf()),
                    "may not be set if oldSelf is not used in rule");
        }
    }

    private static boolean hasBreaks(String text) {
        return text.contains("\n") || text.contains("\r");
    }
}
