package io.busbar.sandbox.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an expression may cost, told before it is ever run, in CEL's units of cost: about one for each value that is looked at, and one
 * for ten characters.
 *
 * <p>One thread, for one expression. From cel-go's {@code checker/cost.go} and apiserver's {@code cel/library/cost.go}: what they find is
 * part of the API, since a definition whose rules cost too much is refused.
 */
final class CostEstimate {

    private static final double OF_CHARACTER = 0.1;
    private static final double OF_PATTERN_CHARACTER = 0.25;
    private static final int LONGEST_PATTERN_OF_A_FORMAT = 128;

    /** Of the keys and the values of a map or a list that the expression itself makes. */
    private record Entries(boolean list, Range keys, Range values) {

        Entries or(Entries other) {
            return new Entries(list, keys.or(other.keys), values.or(other.values));
        }
    }

    /** What an expression has given a name. Each part may be unknown. */
    private record Local(List<String> path, Optional<Range> size, Optional<Entries> entries) {}

    private record Call(Range cost, Optional<Range> size) {

        static Call of(Range cost) {
            return new Call(cost, Optional.empty());
        }
    }

    private final CelAbstractSyntaxTree tree;
    private final SchemaSizes schema;
    private final Map<Long, List<String>> paths = new HashMap<>();
    private final Map<Long, Range> sizes = new HashMap<>();
    private final Map<Long, Entries> entries = new HashMap<>();
    private final Map<String, Deque<Local>> locals = new HashMap<>();

    private CostEstimate(CelAbstractSyntaxTree tree, SchemaSizes schema) {
        this.tree = tree;
        this.schema = schema;
    }

    /** @param schema of its variables, which all are of one type */
    static long most(CelAbstractSyntaxTree tree, SchemaSizes schema) {
        return new CostEstimate(tree, schema).cost(tree.getExpr()).most();
    }

    private Range cost(CelExpr part) {
        return switch (part.getKind()) {
            case IDENT -> {
                String name = part.ident().name();
                paths.put(part.id(), local(name).map(Local::path).orElse(List.of(name)));
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
        paths.put(part.id(), below(path(operand), part.select().field()));
        CelKind kind = type(operand).kind();
        return kind == CelKind.MAP || kind == CelKind.STRUCT || kind == CelKind.TYPE_PARAM ? sum.plus(Range.ONE) : sum;
    }

    private Range list(CelExpr part) {
        Range sum = Range.of(10);
        Optional<Range> values = Optional.empty();
        for (CelExpr element : part.list().elements()) {
            sum = sum.plus(cost(element));
            values = either(values, Optional.of(size(element)));
        }
        entries.put(part.id(), new Entries(true, Range.ONE, values.orElse(Range.NONE)));
        return sum;
    }

    private Range map(CelExpr part) {
        Range sum = Range.of(30);
        Optional<Entries> all = Optional.empty();
        for (CelExpr.CelMap.Entry entry : part.map().entries()) {
            sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
            Entries one = new Entries(false, size(entry.key()), size(entry.value()));
            all = Optional.of(all.map(one::or).orElse(one));
        }
        entries.put(part.id(), all.orElse(new Entries(false, Range.NONE, Range.NONE)));
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
        push(loop.accuVar(), path(loop.accuInit()), knownSize(loop.accuInit()), entries(loop.accuInit()));
        sum = sum.plus(cost(loop.result()));
        pop(loop.accuVar());
        knownSize(loop.result()).ifPresent(size -> sizes.put(part.id(), size));
        entries(loop.result()).ifPresent(of -> entries.put(part.id(), of));
        return sum;
    }

    private Range loop(CelExpr part) {
        CelComprehension loop = part.comprehension();
        CelExpr range = loop.iterRange();
        Range sum = cost(range).plus(cost(loop.accuInit()));
        push(loop.accuVar(), path(loop.accuInit()), knownSize(loop.accuInit()), entries(loop.accuInit()));
        Optional<Entries> items = entries(range);
        boolean list = items.map(Entries::list).orElse(type(range).kind() == CelKind.LIST);
        boolean two = !loop.iterVar2().isEmpty();
        Optional<Range> keys = items.map(Entries::keys);
        Optional<Range> values = items.map(Entries::values);
        String keyPath = list && two ? "@indices" : list ? "@items" : "@keys";
        push(loop.iterVar(), below(path(range), keyPath), list && !two ? values : keys, Optional.empty());
        if (two) {
            push(loop.iterVar2(), below(path(range), list ? "@items" : "@values"), values, Optional.empty());
        }
        Range turn = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
        pop(loop.iterVar());
        if (two) {
            pop(loop.iterVar2());
        }
        sum = sum.plus(cost(loop.result()));
        pop(loop.accuVar());
        Range turns = size(range);
        Kind made = loop.accuInit().getKind();
        if (made == Kind.CONSTANT) {
            knownSize(loop.accuInit()).ifPresent(size -> sizes.put(part.id(), size));
        } else if (made == Kind.LIST || made == Kind.MAP) {
            sizes.put(part.id(), turns);
            entries(loop.loopStep()).ifPresent(of -> entries.put(part.id(), of));
        }
        return sum.plus(turns.times(turn));
    }

    private Range call(CelExpr part) {
        CelCall call = part.call();
        List<Range> costs = call.args().stream().map(this::cost).toList();
        if (call.function().equals("dyn")) {
            CelExpr argument = call.args().get(0);
            knownSize(argument).ifPresent(size -> sizes.put(part.id(), size));
            entries(argument).ifPresent(of -> entries.put(part.id(), of));
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
            Call one = ofKubernetes(call)
                    .map(known -> new Call(known.cost().plus(sum(costs)), known.size()))
                    .orElseGet(() -> standard(part, overload, costs));
            all = either(all, Optional.of(one.cost()));
            result = either(result, one.size());
            if (overload.equals("index_list") || overload.equals("index_map")) {
                CelExpr indexed = call.args().get(0);
                result = entries(indexed).map(Entries::values);
                paths.put(part.id(), below(path(indexed), overload.equals("index_list") ? "@items" : "@values"));
            }
            if (result.isEmpty()) {
                result = knownSize(part);
            }
        }
        result.ifPresent(size -> sizes.put(part.id(), size));
        return target.plus(all.orElse(Range.NONE));
    }

    private static Optional<Range> either(Optional<Range> one, Optional<Range> other) {
        return one.map(known -> other.map(known::or).orElse(known)).or(() -> other);
    }

    private static Range sum(List<Range> costs) {
        return costs.stream().reduce(Range.NONE, Range::plus);
    }

    /** Of a function of Kubernetes or of the strings, without that of its arguments; empty for any other one. */
    private Optional<Call> ofKubernetes(CelCall call) {
        List<CelExpr> arguments = call.args();
        Range target = call.target().map(this::size).orElse(Range.NONE);
        Range first = arguments.isEmpty() ? Range.NONE : size(arguments.get(0));
        return Optional.ofNullable(
                switch (call.function()) {
                    case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" ->
                        call.target().map(this::traversal).map(Call::of).orElse(null);
                    case "url", "jsonpatch.escapeKey" -> new Call(first.times(OF_CHARACTER), Optional.of(first));
                    case "lowerAscii", "upperAscii", "substring", "trim" ->
                        new Call(target.times(OF_CHARACTER), Optional.of(target));
                    case "replace" ->
                        new Call(
                                target.times(2 * OF_CHARACTER),
                                Optional.of(replaced(target, first, size(arguments.get(1)))));
                    case "split" -> new Call(target.times(2 * OF_CHARACTER), Optional.of(parts(target, arguments)));
                    case "join" -> {
                        Range joined = joined(call, target);
                        yield new Call(joined.times(OF_CHARACTER), Optional.of(joined));
                    }
                    case "find", "findAll" ->
                        new Call(pattern(target, first), Optional.of(new Range(0, target.most())));
                    case "ip", "cidr", "isIP", "isCIDR", "quantity", "isQuantity" ->
                        Call.of(call.target().isPresent() ? Range.ONE : first.times(OF_CHARACTER));
                    case "ip.isCanonical" -> Call.of(first.times(2 * OF_CHARACTER));
                    case "containsIP" ->
                        Call.of(new Range(8, 32).times(OF_CHARACTER).plus(parsing(arguments.get(0))));
                    case "containsCIDR" ->
                        Call.of(new Range(8, 32)
                                .times(OF_CHARACTER)
                                .plus(new Range(4, 16).times(OF_CHARACTER))
                                .plus(Range.ONE)
                                .plus(parsing(arguments.get(0))));
                    case "validate" ->
                        Call.of(first.times(OF_CHARACTER).times(LONGEST_PATTERN_OF_A_FORMAT * OF_PATTERN_CHARACTER));
                    case "_==_" -> opaqueEquality(arguments).map(Call::of).orElse(null);
                    default -> null;
                });
    }

    /** Of looking at each item of a list, or at each character of a text. */
    private Range traversal(CelExpr target) {
        List<CelType> parameters = type(target).parameters();
        if (parameters.isEmpty()) {
            return size(target).times(OF_CHARACTER);
        }
        CelKind kind = parameters.get(0).kind();
        boolean text = kind == CelKind.STRING || kind == CelKind.BYTES;
        return size(target).times(text ? Range.ONE.plus(item(target).times(OF_CHARACTER)) : Range.ONE);
    }

    /** The size of one item of a list. */
    private Range item(CelExpr list) {
        List<String> path = path(list);
        return path.isEmpty() ? Range.UNKNOWN : schema.at(below(path, "@items")).orElse(Range.UNKNOWN);
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
        Range texts = call.target().map(this::item).map(list::times).orElse(Range.NONE);
        Range gaps = new Range(Math.max(0, list.least() - 1), Math.max(0, list.most() - 1));
        return call.args().isEmpty()
                ? texts
                : texts.plus(size(call.args().get(0)).times(gaps));
    }

    private static Range pattern(Range text, Range pattern) {
        return text.plus(Range.ONE).times(OF_CHARACTER).times(pattern.times(OF_PATTERN_CHARACTER));
    }

    private Range parsing(CelExpr argument) {
        return type(argument).kind() == CelKind.STRING ? size(argument).times(OF_CHARACTER) : Range.NONE;
    }

    /** Empty when they are not both of one kind of Kubernetes' own. */
    private Optional<Range> opaqueEquality(List<CelExpr> both) {
        CelType type = type(both.get(0));
        if (type.kind() != CelKind.OPAQUE || !type.parameters().isEmpty() || !type.equals(type(both.get(1)))) {
            return Optional.empty();
        }
        return Optional.of(
                type.name().equals("kubernetes.URL")
                        ? new Range(1, knownSize(both.get(1)).orElse(Range.ONE).most()).times(OF_CHARACTER)
                        : Range.ONE);
    }

    /** Of one of CEL's own functions, with that of its arguments. */
    private Call standard(CelExpr part, String overload, List<Range> costs) {
        List<CelExpr> arguments = part.call().args();
        Range target = part.call().target().map(this::size).orElse(Range.NONE);
        Range first = arguments.isEmpty() ? Range.NONE : size(arguments.get(0));
        Range second = arguments.size() < 2 ? Range.NONE : size(arguments.get(1));
        Range sum = sum(costs);
        return switch (overload) {
            case "string_to_bytes" ->
                new Call(
                        first.times(OF_CHARACTER).plus(sum),
                        Optional.of(new Range(first.least(), Range.product(first.most(), 4))));
            case "bytes_to_string" ->
                new Call(first.times(OF_CHARACTER).plus(sum), Optional.of(new Range(first.least() / 4, first.most())));
            case "starts_with_string", "ends_with_string" ->
                Call.of(first.times(OF_CHARACTER).plus(sum));
            case "in_list" -> Call.of(second.plus(sum));
            case "matches_string" -> Call.of(pattern(target, first).plus(sum));
            case "contains_string" ->
                Call.of(target.times(OF_CHARACTER)
                        .times(first.times(OF_CHARACTER))
                        .plus(sum));
            case "logical_or", "logical_and" -> Call.of(new Range(costs.get(0).least(), sum.most()));
            case "conditional" -> {
                both(part, arguments.get(1), arguments.get(2));
                yield new Call(
                        costs.get(0).plus(costs.get(1).or(costs.get(2))),
                        Optional.of(second.or(size(arguments.get(2)))));
            }
            case "add_list" -> {
                both(part, arguments.get(0), arguments.get(1));
                yield new Call(Range.ONE.plus(sum), Optional.of(first.plus(second)));
            }
            case "add_string", "add_bytes" ->
                new Call(first.plus(second).times(OF_CHARACTER).plus(sum), Optional.of(first.plus(second)));
            case "equals", "not_equals" -> Call.of(comparison(first, second).plus(sum));
            default -> Call.of((isComparisonOfTexts(overload) ? comparison(first, second) : Range.ONE).plus(sum));
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

    private void both(CelExpr part, CelExpr one, CelExpr other) {
        entries(one).flatMap(of -> entries(other).map(of::or)).ifPresent(of -> entries.put(part.id(), of));
    }

    private Range size(CelExpr part) {
        return knownSize(part).orElse(Range.UNKNOWN);
    }

    private Optional<Range> knownSize(CelExpr part) {
        Optional<Range> made = Optional.ofNullable(sizes.get(part.id())).or(() -> written(part));
        if (made.isPresent()) {
            return made;
        }
        Optional<Range> known = schema.at(path(part));
        if (known.isPresent()) {
            return known;
        }
        if (isScalar(type(part))) {
            return Optional.of(Range.ONE);
        }
        return part.getKind() == Kind.IDENT ? local(part.ident().name()).flatMap(Local::size) : Optional.empty();
    }

    private static Optional<Range> written(CelExpr part) {
        return switch (part.getKind()) {
            case CONSTANT ->
                Optional.of(Range.of(
                        switch (part.constant().getKind()) {
                            case STRING_VALUE ->
                                part.constant().stringValue().codePoints().count();
                            case BYTES_VALUE -> part.constant().bytesValue().size();
                            default -> 1;
                        }));
            case LIST -> Optional.of(Range.of(part.list().elements().size()));
            case MAP -> Optional.of(Range.of(part.map().entries().size()));
            default -> Optional.empty();
        };
    }

    private static boolean isScalar(CelType type) {
        return switch (type.kind()) {
            case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
            case OPAQUE ->
                type.name().equals("optional_type")
                        && isScalar(type.parameters().get(0));
            default -> false;
        };
    }

    private Optional<Entries> entries(CelExpr part) {
        Optional<Entries> made = Optional.ofNullable(entries.get(part.id()));
        return made.isPresent() || part.getKind() != Kind.IDENT
                ? made
                : local(part.ident().name()).flatMap(Local::entries);
    }

    private CelType type(CelExpr part) {
        return tree.getTypeOrThrow(part.id());
    }

    /** Of what is in the schema; empty for any other value. */
    private List<String> path(CelExpr part) {
        if (part.getKind() == Kind.IDENT) {
            Optional<Local> local = local(part.ident().name());
            if (local.isPresent()) {
                return local.get().path();
            }
        }
        return paths.getOrDefault(part.id(), List.of());
    }

    private static List<String> below(List<String> path, String name) {
        List<String> below = new ArrayList<>(path);
        below.add(name);
        return below;
    }

    private Optional<Local> local(String name) {
        return Optional.ofNullable(locals.get(name)).map(Deque::peek);
    }

    private void push(String name, List<String> path, Optional<Range> size, Optional<Entries> entries) {
        locals.computeIfAbsent(name, absent -> new ArrayDeque<>()).push(new Local(path, size, entries));
    }

    private void pop(String name) {
        locals.getOrDefault(name, new ArrayDeque<>()).pop();
    }
}
