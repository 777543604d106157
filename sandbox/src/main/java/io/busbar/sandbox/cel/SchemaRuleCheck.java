package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.busbar.cel.CompilationException;
import io.busbar.cel.Expression;
import io.busbar.cel.SchemaTypes;
import io.busbar.sandbox.schema.FieldPath;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Whether the rules of a schema may stand in a definition: they are complete, they compile, and they cost little
 * enough.
 *
 * <p>One thread, once. Nothing of CEL is loaded for a schema without rules.
 */
public final class SchemaRuleCheck {

    private static final List<String> REASONS =
            List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

    /** In CEL's units of cost: of one rule about all the values of an object that it is about. */
    private static final long MOST_OF_RULE = 10_000_000;
    /** Of all rules of a schema together. */
    private static final long MOST_OF_SCHEMA = 100_000_000;

    /** Tells how often a part of an object can be there when no limit tells. */
    private static final long UNLIMITED = -1;

    /** What the rules and messages at one place may cost. */
    private record Expensive(String path, long cost) {}

    private final Causes form = new Causes();
    private final Causes compilation = new Causes();
    private final List<Expensive> expensive = new ArrayList<>();
    private long allCost;

    private SchemaRuleCheck() {}

    /** @param sound whether the schema itself is, so that its rules can be compiled */
    public static List<FieldCause> of(String path, JsonNode schema, boolean sound) {
        SchemaRuleCheck check = new SchemaRuleCheck();
        check.walk(path, schema, true, "", sound, 1);
        check.total(path);
        return check.form.isEmpty() ? check.compilation.list() : check.form.list();
    }

    /**
     * @param uncorrelated the outermost part of the schema whose old values cannot be told; empty for none
     * @param times how often its values can be in one object, or UNLIMITED
     */
    private void walk(String path, JsonNode schema, boolean resource, String uncorrelated, boolean sound, long times) {
        long timesBelow = timesBelow(schema, times);
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            walk(
                    path + ".properties[" + property.getKey() + "]",
                    property.getValue(),
                    SchemaTypes.isEmbedded(property.getValue()),
                    uncorrelated,
                    sound,
                    timesBelow);
        }
        JsonNode additional = schema.path("additionalProperties");
        if (additional.isObject()) {
            walk(
                    path + ".additionalProperties",
                    additional,
                    SchemaTypes.isEmbedded(additional),
                    uncorrelated,
                    sound,
                    timesBelow);
        }
        JsonNode items = schema.path("items");
        if (items.isObject()) {
            boolean map = schema.path("x-kubernetes-list-type").asText("").equals("map");
            walk(
                    path + ".items",
                    items,
                    SchemaTypes.isEmbedded(items),
                    map || !uncorrelated.isEmpty() ? uncorrelated : path,
                    sound,
                    timesBelow);
        }
        JsonNode rules = schema.path("x-kubernetes-validations");
        RuleCompiler compiler = sound && !rules.isEmpty() ? new RuleCompiler(schema, resource) : null;
        for (int i = 0; i < rules.size(); i++) {
            SchemaRule rule = SchemaRule.of(rules.path(i));
            String at = path + ".x-kubernetes-validations[" + i + "]";
            form(at, rule, schema);
            if (compiler != null && !rule.rule().isBlank()) {
                compile(at, rule, compiler, uncorrelated, times);
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

    private void compile(String path, SchemaRule rule, RuleCompiler compiler, String uncorrelated, long times) {
        boolean usesOldSelf = false;
        try {
            Expression compiled = compiler.rule(rule);
            usesOldSelf = compiled.uses("oldSelf");
            SchemaSizes sizes = compiler.sizes();
            long most = times == UNLIMITED ? sizes.mostOccurrences() : times;
            charge(path + ".rule", "rule", Range.product(CostEstimate.most(compiled.tree(), sizes), most));
        } catch (CompilationException e) {
            compilation.invalid(path + ".rule", rule.shownWhole(), String.valueOf(e.getMessage()));
        }
        if (!rule.messageExpression().isEmpty()) {
            try {
                long cost = CostEstimate.most(compiler.message(rule).tree(), compiler.sizes());
                charge(path + ".messageExpression", "messageExpression", cost);
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

    private static long timesBelow(JsonNode schema, long times) {
        String limit = switch (schema.path("type").asText()) {
            case "array" -> "maxItems";
            case "object" -> schema.has("additionalProperties") ? "maxProperties" : "";
            default -> "";
        };
        if (limit.isEmpty() || times == UNLIMITED) {
            return times;
        }
        return schema.has(limit)
                ? Range.product(times, Math.max(0, schema.path(limit).asLong()))
                : UNLIMITED;
    }

    private void charge(String path, String what, long cost) {
        if (cost > MOST_OF_RULE) {
            compilation.forbidden(path, exceeding("estimated " + what + " cost", cost, MOST_OF_RULE));
        }
        allCost = Range.sum(allCost, cost);
        expensive.add(new Expensive(path, cost));
    }

    /** When all together cost too much, those that cost most are named. */
    private void total(String path) {
        if (allCost <= MOST_OF_SCHEMA) {
            return;
        }
        expensive.stream()
                .filter(one -> one.cost() >= MOST_OF_SCHEMA / 100)
                .sorted(Comparator.comparingLong(Expensive::cost).reversed())
                .limit(4)
                .forEach(one -> compilation.forbidden(
                        one.path(),
                        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"));
        compilation.forbidden(
                path,
                exceeding(
                        "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
                        allCost,
                        MOST_OF_SCHEMA));
    }

    private static String exceeding(String what, long cost, long limit) {
        double factor = (double) cost / limit;
        String times =
                factor > 100 ? "more than 100x" : String.format(Locale.ROOT, factor < 1.5 ? "%.6fx" : "%.1fx", factor);
        return what + " exceeds budget by factor of " + times
                + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and"
                + " strings are declared)";
    }

    private static boolean hasBreaks(String text) {
        return text.contains("\n") || text.contains("\r");
    }
}
