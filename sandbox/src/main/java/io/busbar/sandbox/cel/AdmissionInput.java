package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelErrorCode;
import dev.cel.common.exceptions.CelRuntimeException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.common.values.NullValue;
import dev.cel.common.values.StructValue;
import io.busbar.cel.Expression;
import io.busbar.cel.Expression.Outcome;
import io.busbar.cel.SchemaValues;
import io.busbar.cel.StepBudget;
import io.busbar.sandbox.cel.AdmissionCompiler.Variable;
import io.busbar.sandbox.cel.AuthorizerFunctions.Question;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the expressions of one policy see of one write, and what its variables have come to.
 *
 * <p>One thread, for one write.
 */
public final class AdmissionInput {

    private final Map<String, Object> seen = new HashMap<>();
    private final Map<String, Outcome> known = new HashMap<>();
    private final StepBudget budget = new StepBudget(StepBudget.OF_OBJECT);

    /**
     * @param request as webhooks are told it
     * @param object null for a deletion
     * @param before null for a creation
     * @param params null for none
     * @param namespace null for what is in none
     * @param authorizer about the resource of the request
     */
    public AdmissionInput(
            JsonNode request,
            @Nullable JsonNode object,
            @Nullable JsonNode before,
            @Nullable JsonNode params,
            @Nullable JsonNode namespace,
            Question authorizer) {
        seen.put("request", SchemaValues.of(request));
        seen.put("object", value(object));
        seen.put("oldObject", value(before));
        seen.put("params", value(params));
        seen.put("namespaceObject", value(namespace));
        seen.put("authorizer", Question.by(authorizer.decider()));
        seen.put("authorizer.requestResource", authorizer);
    }

    private static Object value(@Nullable JsonNode node) {
        return node == null ? NullValue.NULL_VALUE : SchemaValues.of(node);
    }

    Outcome evaluate(Expression expression, List<Variable> variables) {
        seen.put("variables", new Variables(variables));
        return expression.evaluate(seen, budget);
    }

    /** Evaluates what is asked for, once. */
    @SuppressWarnings("Immutable") // Nobody but CEL sees it, in one evaluation at a time.
    private final class Variables extends StructValue<String, Object> {

        private final List<Variable> variables;

        Variables(List<Variable> variables) {
            this.variables = variables;
        }

        @Override
        public Object value() {
            return this;
        }

        @Override
        public boolean isZeroValue() {
            return variables.isEmpty();
        }

        @Override
        public CelType celType() {
            return StructTypeReference.create("kubernetes.variables");
        }

        @Override
        public Object select(String name) {
            return find(name).orElseThrow(() -> new Failure("no such key: " + name));
        }

        @Override
        public Optional<Object> find(String name) {
            return variables.stream()
                    .filter(variable -> variable.name().equals(name))
                    .findFirst()
                    .map(this::result);
        }

        private Object result(Variable variable) {
            Outcome outcome = known.get(variable.name());
            if (outcome == null) {
                outcome = variable.expression().evaluate(seen, budget);
                known.put(variable.name(), outcome);
            }
            if (outcome.failed()) {
                throw new Failure(
                        "composited variable \"" + variable.name() + "\" fails to evaluate: " + outcome.error());
            }
            return outcome.value();
        }
    }

    /** Ends an evaluation with words. */
    private static final class Failure extends CelRuntimeException {

        private static final long serialVersionUID = 1;

        Failure(String words) {
            super(new IllegalStateException(words), CelErrorCode.INTERNAL_ERROR);
        }

        @Override
        public String getMessage() {
            return String.valueOf(getCause() == null ? null : getCause().getMessage());
        }
    }
}
