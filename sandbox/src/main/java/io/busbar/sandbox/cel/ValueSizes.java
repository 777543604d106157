package io.busbar.sandbox.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How large the values of the parts of an expression may be: as written there, by the schema, or as found so far.
 *
 * <p>One thread, for one expression.
 */
final class ValueSizes {

    /** Of the keys and the values of a map or a list that the expression itself makes. */
    record Entries(boolean list, Range keys, Range values) {

        Entries or(Entries other) {
            return new Entries(list, keys.or(other.keys), values.or(other.values));
        }
    }

    /** What an expression has given a name. Each part may be unknown. */
    private record Local(List<String> path, Optional<Range> size, Optional<Entries> entries) {}

    private final CelAbstractSyntaxTree tree;
    private final SchemaSizes schema;
    private final Map<Long, List<String>> paths = new HashMap<>();
    private final Map<Long, Range> sizes = new HashMap<>();
    private final Map<Long, Entries> entries = new HashMap<>();
    private final Map<String, Deque<Local>> locals = new HashMap<>();

    /** @param schema of the variables of the expression, which all are of one type */
    ValueSizes(CelAbstractSyntaxTree tree, SchemaSizes schema) {
        this.tree = tree;
        this.schema = schema;
    }

    CelType type(CelExpr part) {
        return tree.getTypeOrThrow(part.id());
    }

    /** Of a value that may be of any size, too. */
    Range size(CelExpr part) {
        return knownSize(part).orElse(Range.UNKNOWN);
    }

    Optional<Range> knownSize(CelExpr part) {
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

    /** Of one item of a list. */
    Range itemSize(CelExpr list) {
        List<String> path = path(list);
        return path.isEmpty() ? Range.UNKNOWN : schema.at(below(path, "@items")).orElse(Range.UNKNOWN);
    }

    /** Empty where the expression does not make them itself. */
    Optional<Entries> entries(CelExpr part) {
        Optional<Entries> made = Optional.ofNullable(entries.get(part.id()));
        return made.isPresent() || part.getKind() != Kind.IDENT
                ? made
                : local(part.ident().name()).flatMap(Local::entries);
    }

    /** Notes how large a value was found to be; an unknown size is not noted. */
    void note(CelExpr part, Optional<Range> size, Optional<Entries> of) {
        size.ifPresent(known -> sizes.put(part.id(), known));
        of.ifPresent(known -> entries.put(part.id(), known));
    }

    /** One value is as large as another. */
    void same(CelExpr part, CelExpr other) {
        note(part, knownSize(other), entries(other));
    }

    /** A value is one of two, or both in a row. */
    void either(CelExpr part, CelExpr one, CelExpr other) {
        note(part, Optional.empty(), entries(one).flatMap(of -> entries(other).map(of::or)));
    }

    /** A part is a variable, or what the expression has given that name. */
    void name(CelExpr part, String name) {
        paths.put(part.id(), local(name).map(Local::path).orElse(List.of(name)));
    }

    /** A part is in another: a field, or one of {@code @items}, {@code @values} and {@code @keys}. */
    void inside(CelExpr part, CelExpr whole, String field) {
        paths.put(part.id(), below(path(whole), field));
    }

    /** From here on a name stands for a value. */
    void push(String name, CelExpr value) {
        push(name, new Local(path(value), knownSize(value), entries(value)));
    }

    /** From here on a name stands for what is in a value. */
    void push(String name, CelExpr whole, String field, Optional<Range> size) {
        push(name, new Local(below(path(whole), field), size, Optional.empty()));
    }

    private void push(String name, Local local) {
        locals.computeIfAbsent(name, absent -> new ArrayDeque<>()).push(local);
    }

    /** The name stands again for what it stood for before. */
    void pop(String name) {
        locals.getOrDefault(name, new ArrayDeque<>()).pop();
    }

    private Optional<Local> local(String name) {
        return Optional.ofNullable(locals.get(name)).map(Deque::peek);
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
}
