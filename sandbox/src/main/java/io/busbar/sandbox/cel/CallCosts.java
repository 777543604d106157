package io.busbar.sandbox.cel;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import java.util.List;
import java.util.Optional;

/**
 * What the functions of CEL and of Kubernetes cost, in CEL's units of cost, by how large their arguments may be.
 *
 * <p>One thread, for one expression.
 */
final class CallCosts {

    private static final double OF_CHARACTER = 0.1;
    private static final double OF_PATTERN_CHARACTER = 0.25;
    private static final int LONGEST_PATTERN_OF_A_FORMAT = 128;

    /** What a call may cost, with its arguments, and how large its result may be, where that is known. */
    record Cost(Range cost, Optional<Range> size) {

        private static Cost of(Range cost) {
            return new Cost(cost, Optional.empty());
        }
    }

    private final ValueSizes values;

    CallCosts(ValueSizes values) {
        this.values = values;
    }

    /**
     * Of a call by one of the overloads that it may be of.
     *
     * @param arguments what these cost
     */
    Cost of(CelExpr call, String overload, List<Range> arguments) {
        return ofKubernetes(call.call())
                .map(own -> new Cost(own.cost().plus(sum(arguments)), own.size()))
                .orElseGet(() -> standard(call, overload, arguments));
    }

    private static Range sum(List<Range> costs) {
        return costs.stream().reduce(Range.NONE, Range::plus);
    }

    /** Of a function of Kubernetes or of the strings, without that of its arguments; empty for any other one. */
    private Optional<Cost> ofKubernetes(CelCall call) {
        List<CelExpr> arguments = call.args();
        Range target = call.target().map(values::size).orElse(Range.NONE);
        Range first = arguments.isEmpty() ? Range.NONE : values.size(arguments.get(0));
        return Optional.ofNullable(
                switch (call.function()) {
                    case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" ->
                        call.target().map(this::traversal).map(Cost::of).orElse(null);
                    case "url", "jsonpatch.escapeKey" -> new Cost(first.times(OF_CHARACTER), Optional.of(first));
                    case "lowerAscii", "upperAscii", "substring", "trim" ->
                        new Cost(target.times(OF_CHARACTER), Optional.of(target));
                    case "replace" ->
                        new Cost(
                                target.times(2 * OF_CHARACTER),
                                Optional.of(replaced(target, first, values.size(arguments.get(1)))));
                    case "split" -> new Cost(target.times(2 * OF_CHARACTER), Optional.of(parts(target, arguments)));
                    case "join" -> {
                        Range joined = joined(call, target);
                        yield new Cost(joined.times(OF_CHARACTER), Optional.of(joined));
                    }
                    case "find", "findAll" ->
                        new Cost(pattern(target, first), Optional.of(new Range(0, target.most())));
                    case "ip", "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" ->
                        Cost.of(call.target().isPresent() ? Range.ONE : first.times(OF_CHARACTER));
                    case "ip.isCanonical" -> Cost.of(first.times(2 * OF_CHARACTER));
                    case "containsIP" ->
                        Cost.of(new Range(8, 32).times(OF_CHARACTER).plus(parsing(arguments.get(0))));
                    case "containsCIDR" ->
                        Cost.of(new Range(8, 32)
                                .times(OF_CHARACTER)
                                .plus(new Range(4, 16).times(OF_CHARACTER))
                                .plus(Range.ONE)
                                .plus(parsing(arguments.get(0))));
                    case "validate" ->
                        Cost.of(first.times(OF_CHARACTER).times(LONGEST_PATTERN_OF_A_FORMAT * OF_PATTERN_CHARACTER));
                    case "_==_" -> opaqueEquality(arguments).map(Cost::of).orElse(null);
                    default -> null;
                });
    }

    /** Of looking at each item of a list, or at each character of a text. */
    private Range traversal(CelExpr target) {
        List<CelType> parameters = values.type(target).parameters();
        if (parameters.isEmpty()) {
            return values.size(target).times(OF_CHARACTER);
        }
        CelKind kind = parameters.get(0).kind();
        boolean text = kind == CelKind.STRING || kind == CelKind.BYTES;
        return values.size(target)
                .times(text ? Range.ONE.plus(values.itemSize(target).times(OF_CHARACTER)) : Range.ONE);
    }

    private static Range replaced(Range text, Range old, Range by) {
        long longest = old.least() == 0
                ? Range.sum(Range.product(Range.sum(text.most(), 1), by.most()), text.most())
                : by.most() <= old.least()
                        ? text.most()
                        : Range.product((long) Math.ceil((double) text.most() / old.least()), by.most());
        long shortest = old.most() == 0
                ? Range.sum(Range.product(Range.sum(text.least(), 1), by.least()), text.least())
                : old.most() <= by.least()
                        ? text.least()
                        : Range.product((long) Math.ceil((double) text.least() / old.most()), by.least());
        return new Range(shortest, longest);
    }

    private static Range parts(Range text, List<CelExpr> arguments) {
        boolean limited = arguments.size() > 1
                && arguments.get(1).getKind() == Kind.CONSTANT
                && arguments.get(1).constant().getKind() == CelConstant.Kind.INT64_VALUE;
        return new Range(0, limited ? Math.max(0, arguments.get(1).constant().int64Value()) : text.most());
    }

    private Range joined(CelCall call, Range list) {
        Range texts = call.target().map(values::itemSize).map(list::times).orElse(Range.NONE);
        Range gaps = new Range(Math.max(0, list.least() - 1), Math.max(0, list.most() - 1));
        return call.args().isEmpty()
                ? texts
                : texts.plus(values.size(call.args().get(0)).times(gaps));
    }

    private static Range pattern(Range text, Range pattern) {
        return text.plus(Range.ONE).times(OF_CHARACTER).times(pattern.times(OF_PATTERN_CHARACTER));
    }

    private Range parsing(CelExpr argument) {
        return values.type(argument).kind() == CelKind.STRING
                ? values.size(argument).times(OF_CHARACTER)
                : Range.NONE;
    }

    /** Empty when they are not both of one kind of Kubernetes' own. */
    private Optional<Range> opaqueEquality(List<CelExpr> both) {
        CelType type = values.type(both.get(0));
        if (type.kind() != CelKind.OPAQUE || !type.parameters().isEmpty() || !type.equals(values.type(both.get(1)))) {
            return Optional.empty();
        }
        return Optional.of(
                type.name().equals("kubernetes.URL")
                        ? new Range(
                                        1,
                                        values.knownSize(both.get(1))
                                                .orElse(Range.ONE)
                                                .most())
                                .times(OF_CHARACTER)
                        : Range.ONE);
    }

    /** Of one of CEL's own functions, with that of its arguments. */
    private Cost standard(CelExpr part, String overload, List<Range> costs) {
        List<CelExpr> arguments = part.call().args();
        Range target = part.call().target().map(values::size).orElse(Range.NONE);
        Range first = arguments.isEmpty() ? Range.NONE : values.size(arguments.get(0));
        Range second = arguments.size() < 2 ? Range.NONE : values.size(arguments.get(1));
        Range sum = sum(costs);
        return switch (overload) {
            case "string_to_bytes" ->
                new Cost(
                        first.times(OF_CHARACTER).plus(sum),
                        Optional.of(new Range(first.least(), Range.product(first.most(), 4))));
            case "bytes_to_string" ->
                new Cost(first.times(OF_CHARACTER).plus(sum), Optional.of(new Range(first.least() / 4, first.most())));
            case "starts_with_string", "ends_with_string" ->
                Cost.of(first.times(OF_CHARACTER).plus(sum));
            case "in_list" -> Cost.of(second.plus(sum));
            case "matches_string" -> Cost.of(pattern(target, first).plus(sum));
            case "contains_string" ->
                Cost.of(target.times(OF_CHARACTER)
                        .times(first.times(OF_CHARACTER))
                        .plus(sum));
            case "logical_or", "logical_and" -> Cost.of(new Range(costs.get(0).least(), sum.most()));
            case "conditional" -> {
                values.either(part, arguments.get(1), arguments.get(2));
                yield new Cost(
                        costs.get(0).plus(costs.get(1).or(costs.get(2))),
                        Optional.of(second.or(values.size(arguments.get(2)))));
            }
            case "add_list" -> {
                values.either(part, arguments.get(0), arguments.get(1));
                yield new Cost(Range.ONE.plus(sum), Optional.of(first.plus(second)));
            }
            case "add_string", "add_bytes" ->
                new Cost(first.plus(second).times(OF_CHARACTER).plus(sum), Optional.of(first.plus(second)));
            case "equals", "not_equals" -> Cost.of(comparison(first, second).plus(sum));
            default -> Cost.of((isComparisonOfTexts(overload) ? comparison(first, second) : Range.ONE).plus(sum));
        };
    }

    private static boolean isComparisonOfTexts(String overload) {
        return (overload.startsWith("less_") || overload.startsWith("greater_"))
                && (overload.endsWith("_string") || overload.endsWith("_bytes"));
    }

    /** It ends with the shorter one. */
    private static Range comparison(Range one, Range other) {
        long shorter = Math.min(one.most(), other.most());
        return new Range(Math.min(1, shorter), shorter).times(OF_CHARACTER);
    }
}
