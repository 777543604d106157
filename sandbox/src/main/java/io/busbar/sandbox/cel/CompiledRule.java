package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.cel.CompilationException;
import io.busbar.cel.Expression;
import io.busbar.cel.Expression.Outcome;
import io.busbar.cel.StepBudget;
import io.busbar.sandbox.schema.FieldPath;
import io.busbar.sandbox.status.Causes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rule that can be asked about values.
 *
 * <p>Any thread. Messages are those of apiextensions-apiserver.
 */
final class CompiledRule {

    private static final int LONGEST_MESSAGE = 5 * 1024;

    private final SchemaRule rule;
    private final String type;
    private final String fieldPath;
    private final Expression expression;
    private final boolean usesOldSelf;
    private final @Nullable Expression message;

    /** @throws CompilationException when it is wrong */
    CompiledRule(SchemaRule rule, JsonNode schema, RuleCompiler compiler) {
        this.rule = rule;
        this.type = schema.path("type").asText("");
        this.fieldPath = rule.fieldPath().isEmpty()
                ? ""
                : FieldPath.of(rule.fieldPath(), schema, true).text();
        this.expression = compiler.rule(rule);
        this.usesOldSelf = expression.uses("oldSelf");
        this.message = rule.messageExpression().isEmpty() ? null : compiler.message(rule);
    }

    /** Whether it is about how a value changes. */
    boolean usesOldSelf() {
        return usesOldSelf;
    }

    /**
     * @param value as it is shown
     * @param self as the rule sees it
     * @param old null for a value that is new, or that cannot be told to be an old one
     * @param broken takes what the rule refuses, {@code causes} why it can't be asked
     */
    void check(
            String path,
            JsonNode value,
            Object self,
            @Nullable Object old,
            StepBudget budget,
            Causes causes,
            Causes broken) {
        if (usesOldSelf && old == null && !rule.optionalOldSelf()) {
            return;
        }
        Map<String, Object> variables = new HashMap<>();
        variables.put("self", self);
        if (rule.optionalOldSelf()) {
            variables.put("oldSelf", Optional.ofNullable(old));
        } else if (old != null) {
            variables.put("oldSelf", old);
        }
        Outcome outcome = expression.evaluate(variables, budget);
        String shownPath = path.isEmpty() ? "<nil>" : path;
        if (outcome.failed()) {
            causes.invalid(shownPath, type, words(outcome));
            if (outcome.tooLong()) {
                budget.spend(StepBudget.OF_OBJECT);
            }
        } else if (!Boolean.TRUE.equals(outcome.value())) {
            broken.add(rule.broken(field(path, shownPath), value, detail(variables, budget)));
        }
    }

    private String field(String path, String shownPath) {
        if (fieldPath.isEmpty()) {
            return shownPath;
        }
        return path.isEmpty() ? fieldPath : path + (fieldPath.startsWith("[") ? "" : ".") + fieldPath;
    }

    private String words(Outcome outcome) {
        if (outcome.tooLong()) {
            return "'" + outcome.error()
                    + "': no further validation rules will be run due to call cost exceeds limit for rule: "
                    + rule.shown();
        }
        return outcome.error().equals("no such overload")
                ? "'no such overload': call arguments did not match a supported operator, function or macro signature for"
                        + " rule: " + rule.shown()
                : outcome.error() + " evaluating rule: " + rule.shown();
    }

    /** A message that cannot be made gives way to the plain one. */
    private String detail(Map<String, Object> variables, StepBudget budget) {
        if (message == null) {
            return rule.complaint();
        }
        Outcome outcome = message.evaluate(variables, budget);
        String text = outcome.failed() ? "" : String.valueOf(outcome.value()).strip();
        return text.isEmpty() || text.contains("\n") || text.length() > LONGEST_MESSAGE ? rule.complaint() : text;
    }
}
