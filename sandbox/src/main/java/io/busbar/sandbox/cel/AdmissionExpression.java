package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.cel.Expression;
import io.busbar.cel.Expression.Outcome;
import io.busbar.cel.JsonValues;
import io.busbar.sandbox.cel.AdmissionCompiler.Variable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An expression about a write.
 *
 * <p>Any thread.
 */
public final class AdmissionExpression {

    private final String text;
    private final Expression expression;
    private final List<Variable> variables;

    AdmissionExpression(String text, Expression expression, List<Variable> variables) {
        this.text = text;
        this.expression = expression;
        this.variables = variables;
    }

    /**
     * What an expression has come to.
     *
     * @param value null in place of an error
     * @param error empty when there is a value
     */
    public record Result(@Nullable Object value, String error) {

        public boolean isTrue() {
            return Boolean.TRUE.equals(value);
        }

        /** Empty for what is none. */
        public String text() {
            return value instanceof String text ? text : "";
        }

        /** The objects that were made, as JSON. */
        public JsonNode json() {
            return JsonValues.json(value);
        }

        /** What is wrong with the names of the types of the objects that were made; empty for nothing. */
        public String typeFlaw() {
            return value instanceof MadeObjects.Made made && made.isObject() ? made.flaw(MadeObjects.ROOT) : "";
        }
    }

    public String source() {
        return text;
    }

    public Result evaluate(AdmissionInput input) {
        Outcome outcome = input.evaluate(expression, variables);
        return outcome.failed()
                ? new Result(null, "expression '" + text + "' resulted in error: " + outcome.error())
                : new Result(outcome.value(), "");
    }
}
