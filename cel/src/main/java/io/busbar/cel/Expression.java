package io.busbar.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

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

    private final CelRuntime.Program program;
    private final CelAbstractSyntaxTree tree;
    private final Set<String> paths;

    Expression(CelRuntime.Program program, CelAbstractSyntaxTree tree) {
        this.program = program;
        this.tree = tree;
        this.paths = Collections.unmodifiableSet(References.paths(tree.getExpr()));
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

    /**
     * A call that makes something large is as many steps as that has items, or ten characters. What macros do, adding
     * an item to a list or choosing between two, makes nothing large. A list or a map that is written out is as many
     * steps as who compares it, or makes a text of it, goes through: it may hold another one several times over.
     *
     * @param most steps: the count may end once it is above that
     */
    private static long made(CelExpr part, Object result, long most) {
        if (part.getKind() == Kind.LIST || part.getKind() == Kind.MAP) {
            return size(result, most);
        }
        if (part.getKind() != Kind.CALL || !(result instanceof String || result instanceof Collection)) {
            return 0;
        }
        CelCall call = part.call();
        boolean sum = call.function().equals("_+_") && call.args().get(1).getKind() != Kind.LIST;
        if (!sum && !Character.isLetter(call.function().charAt(0))) {
            return 0;
        }
        return result instanceof String text ? text.length() / 10 : ((Collection<?>) result).size();
    }

    /** With all that is in its items. */
    private static long size(Object value, long most) {
        Collection<?> items = value instanceof Map<?, ?> map
                ? map.values()
                : value instanceof Collection<?> collection ? collection : List.of();
        long size = items.size();
        Iterator<?> left = items.iterator();
        while (size <= most && left.hasNext()) {
            size += size(left.next(), most - size);
        }
        return size;
    }

    /** The variables that it reads, with the fields that are selected of them, such as {@code self.spec.replicas}. */
    public Set<String> paths() {
        return paths;
    }

    /** As it was checked. */
    public CelAbstractSyntaxTree tree() {
        return tree;
    }

    public Outcome evaluate(Map<String, ?> variables, StepBudget budget) {
        return evaluate(variables, budget, value -> value);
    }

    /** The same with a JsonNode as the value, as {@link JsonValues#ofObject} makes it. */
    public Outcome evaluateToJson(Map<String, ?> variables, StepBudget budget) {
        return evaluate(variables, budget, JsonValues::ofObject);
    }

    private Outcome evaluate(Map<String, ?> variables, StepBudget budget, UnaryOperator<Object> form) {
        long[] steps = {0};
        try {
            Object value = program.trace(variables, (part, result) -> {
                steps[0] += 1 + made(part, result, budget.ofCall());
                if (steps[0] > budget.ofCall()) {
                    throw new TooLong();
                }
            });
            return new Outcome(form.apply(value), "");
        } catch (TooLong e) {
            return new Outcome("", TooLong.WORDS);
        } catch (CelEvaluationException e) {
            return new Outcome("", Failures.words(tree, e));
        } finally {
            budget.spend(steps[0]);
        }
    }
}
