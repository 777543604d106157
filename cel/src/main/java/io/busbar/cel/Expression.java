package io.busbar.cel;

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
public final class Expression {

    /** What an evaluation came to: a value, or the words of an error. */
    public record Outcome(Object value, String error) {

        public boolean failed() {
            return !error.isEmpty();
        }

        public boolean tooLong() {
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

    Expression(CelRuntime.Program program, CelAbstractSyntaxTree tree) {
        this.program = program;
        this.tree = tree;
    }

    /** Of what it comes to. */
    public CelType type() {
        return tree.getResultType();
    }

    /** Whether it asks for a variable. */
    public boolean uses(String variable) {
        return tree.getReferenceMap().values().stream()
                .anyMatch(reference -> reference.name().equals(variable));
    }

    /** As it was checked. */
    public CelAbstractSyntaxTree tree() {
        return tree;
    }

    public Outcome evaluate(Map<String, ?> variables, StepBudget budget) {
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
