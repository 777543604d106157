package io.busbar.sandbox.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.Map;

/**
 * A compiled expression.
 *
 * <p>Any thread. What goes wrong is told in the words of CEL for Go, as far as they are known.
 */
final class Expression {

    /** What an evaluation came to: a value, or the words of an error. */
    record Outcome(Object value, String error) {

        boolean failed() {
            return !error.isEmpty();
        }

        boolean tooLong() {
            return error.startsWith("operation cancelled");
        }
    }

    /**
     * Ends an evaluation that takes too many steps. An Error, since CEL takes any Exception for the value of a part.
     */
    private static final class TooLong extends Error {

        private static final long serialVersionUID = 1;

        TooLong() {
            super(null, null, false, false);
        }
    }

    private final CelRuntime.Program program;
    private final CelAbstractSyntaxTree tree;
    private final boolean usesOldSelf;

    Expression(CelRuntime.Program program, CelAbstractSyntaxTree tree) {
        this.program = program;
        this.tree = tree;
        this.usesOldSelf = tree.getReferenceMap().values().stream()
                .anyMatch(reference -> reference.name().equals("oldSelf"));
    }

    /** Of what it comes to. */
    CelType type() {
        return tree.getResultType();
    }

    boolean usesOldSelf() {
        return usesOldSelf;
    }

    /** What it may cost at most, in CEL's units of cost, about a value of a schema. */
    long mostCost(SchemaSizes schema) {
        return CostEstimate.most(tree, schema);
    }

    Outcome evaluate(Map<String, ?> variables, StepBudget budget) {
        long[] steps = {0};
        try {
            Object value = program.trace(variables, (part, result) -> {
                if (++steps[0] > StepBudget.OF_CALL) {
                    throw new TooLong();
                }
            });
            return new Outcome(value, "");
        } catch (TooLong e) {
            return new Outcome("", "operation cancelled: actual cost limit exceeded");
        } catch (CelEvaluationException e) {
            return new Outcome("", Failures.words(tree, e));
        } finally {
            budget.spend(steps[0]);
        }
    }
}
