package io.busbar.sandbox.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import io.busbar.sandbox.cel.ValueSizes.Entries;
import java.util.List;
import java.util.Optional;

/**
 * What an expression may cost, told before it is ever run, in CEL's units of cost: about one for each value that is
 * looked at, and one for ten characters.
 *
 * <p>One thread, for one expression. From cel-go's {@code checker/cost.go} and apiserver's {@code cel/library/cost.go}:
 * what they find is part of the API, since a definition whose rules cost too much is refused.
 */
final class CostEstimate {

    private final CelAbstractSyntaxTree tree;
    private final ValueSizes values;
    private final CallCosts calls;

    private CostEstimate(CelAbstractSyntaxTree tree, SchemaSizes schema) {
        this.tree = tree;
        this.values = new ValueSizes(tree, schema);
        this.calls = new CallCosts(values);
    }

    /** @param schema of its variables, which all are of one type */
    static long most(CelAbstractSyntaxTree tree, SchemaSizes schema) {
        return new CostEstimate(tree, schema).cost(tree.getExpr()).most();
    }

    private Range cost(CelExpr part) {
        return switch (part.getKind()) {
            case IDENT -> {
                values.name(part, part.ident().name());
                yield Range.ONE;
            }
            case SELECT -> select(part);
            case CALL -> call(part);
            case LIST -> list(part);
            case MAP -> map(part);
            case STRUCT -> {
                Range sum = Range.of(40);
                for (CelExpr.CelStruct.Entry entry : part.struct().entries()) {
                    sum = sum.plus(cost(entry.value()));
                }
                yield sum;
            }
            case COMPREHENSION -> isBinding(part.comprehension()) ? binding(part) : loop(part);
            default -> Range.NONE;
        };
    }

    private Range select(CelExpr part) {
        CelExpr operand = part.select().operand();
        Range sum = cost(operand);
        if (part.select().testOnly()) {
            return sum;
        }
        values.inside(part, operand, part.select().field());
        CelKind kind = values.type(operand).kind();
        return kind == CelKind.MAP || kind == CelKind.STRUCT || kind == CelKind.TYPE_PARAM ? sum.plus(Range.ONE) : sum;
    }

    private Range list(CelExpr part) {
        Range sum = Range.of(10);
        Optional<Range> items = Optional.empty();
        for (CelExpr element : part.list().elements()) {
            sum = sum.plus(cost(element));
            items = either(items, Optional.of(values.size(element)));
        }
        values.note(part, Optional.empty(), Optional.of(new Entries(true, Range.ONE, items.orElse(Range.NONE))));
        return sum;
    }

    private Range map(CelExpr part) {
        Range sum = Range.of(30);
        Optional<Entries> all = Optional.empty();
        for (CelExpr.CelMap.Entry entry : part.map().entries()) {
            sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
            Entries one = new Entries(false, values.size(entry.key()), values.size(entry.value()));
            all = Optional.of(all.map(one::or).orElse(one));
        }
        values.note(part, Optional.empty(), all.or(() -> Optional.of(new Entries(false, Range.NONE, Range.NONE))));
        return sum;
    }

    /** Whether it is a {@code cel.bind}, which is written as a loop over nothing. */
    private static boolean isBinding(CelComprehension loop) {
        return loop.iterRange().getKind() == Kind.LIST
                && loop.iterRange().list().elements().isEmpty()
                && loop.loopCondition().getKind() == Kind.CONSTANT
                && loop.loopCondition().constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
                && !loop.loopCondition().constant().booleanValue();
    }

    private Range binding(CelExpr part) {
        CelComprehension loop = part.comprehension();
        Range sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        values.push(loop.accuVar(), loop.accuInit());
        sum = sum.plus(cost(loop.result()));
        values.pop(loop.accuVar());
        values.same(part, loop.result());
        return sum;
    }

    private Range loop(CelExpr part) {
        CelComprehension loop = part.comprehension();
        CelExpr range = loop.iterRange();
        Range sum = cost(range).plus(cost(loop.accuInit()));
        values.push(loop.accuVar(), loop.accuInit());
        Optional<Entries> items = values.entries(range);
        boolean list = items.map(Entries::list).orElse(values.type(range).kind() == CelKind.LIST);
        boolean two = !loop.iterVar2().isEmpty();
        Optional<Range> keys = items.map(Entries::keys);
        Optional<Range> each = items.map(Entries::values);
        String key = list && two ? "@indices" : list ? "@items" : "@keys";
        values.push(loop.iterVar(), range, key, list && !two ? each : keys);
        if (two) {
            values.push(loop.iterVar2(), range, list ? "@items" : "@values", each);
        }
        Range turn = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
        values.pop(loop.iterVar());
        if (two) {
            values.pop(loop.iterVar2());
        }
        sum = sum.plus(cost(loop.result()));
        values.pop(loop.accuVar());
        Range turns = values.size(range);
        Kind made = loop.accuInit().getKind();
        if (made == Kind.CONSTANT) {
            values.note(part, values.knownSize(loop.accuInit()), Optional.empty());
        } else if (made == Kind.LIST || made == Kind.MAP) {
            values.note(part, Optional.of(turns), values.entries(loop.loopStep()));
        }
        return sum.plus(turns.times(turn));
    }

    private Range call(CelExpr part) {
        CelCall call = part.call();
        List<Range> costs = call.args().stream().map(this::cost).toList();
        if (call.function().equals("dyn")) {
            values.same(part, call.args().get(0));
            return Range.ONE.plus(costs.get(0));
        }
        List<String> overloads = tree.getReference(part.id())
                .map(reference -> List.copyOf(reference.overloadIds()))
                .orElse(List.of());
        if (overloads.isEmpty()) {
            return Range.NONE;
        }
        Range target = call.target().map(this::cost).orElse(Range.NONE);
        Optional<Range> all = Optional.empty();
        Optional<Range> result = Optional.empty();
        for (String overload : overloads) {
            CallCosts.Cost one = calls.of(part, overload, costs);
            all = either(all, Optional.of(one.cost()));
            result = either(result, one.size());
            if (overload.equals("index_list") || overload.equals("index_map")) {
                CelExpr indexed = call.args().get(0);
                result = values.entries(indexed).map(Entries::values);
                values.inside(part, indexed, overload.equals("index_list") ? "@items" : "@values");
            }
            if (result.isEmpty()) {
                result = values.knownSize(part);
            }
        }
        values.note(part, result, Optional.empty());
        return target.plus(all.orElse(Range.NONE));
    }

    private static Optional<Range> either(Optional<Range> one, Optional<Range> other) {
        return one.map(known -> other.map(known::or).orElse(known)).or(() -> other);
    }
}
