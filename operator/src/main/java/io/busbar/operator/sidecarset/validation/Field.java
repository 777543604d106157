package io.busbar.operator.sidecarset.validation;

import io.busbar.admission.FieldProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A place in an object, which gathers what is wrong there and below.
 *
 * <p>One thread. All places of an object share one list of problems, in the order they are found.
 */
final class Field {

    private final String path;
    private final List<FieldProblem> problems;

    private Field(String path, List<FieldProblem> problems) {
        this.path = path;
        this.problems = problems;
    }

    static Field root() {
        return new Field("", new ArrayList<>());
    }

    List<FieldProblem> problems() {
        return List.copyOf(problems);
    }

    Field child(String name) {
        return new Field(path.isEmpty() ? name : path + "." + name, problems);
    }

    Field key(Object key) {
        return new Field(path + "[" + key + "]", problems);
    }

    /** Visits each item of a list; none where it is absent. */
    <T> void each(String name, @Nullable Collection<? extends T> items, BiConsumer<Field, T> visitor) {
        int index = 0;
        for (T item : items == null ? List.<T>of() : items) {
            visitor.accept(child(name).key(index++), item);
        }
    }

    void required(String detail) {
        problems.add(FieldProblem.required(path, detail));
    }

    void invalid(Object value, String detail) {
        problems.add(FieldProblem.invalid(path, value, detail));
    }

    void duplicate(Object value) {
        problems.add(FieldProblem.duplicate(path, value));
    }

    void notFound(Object value) {
        problems.add(FieldProblem.notFound(path, value));
    }

    void forbidden(String detail) {
        problems.add(FieldProblem.forbidden(path, detail));
    }

    /** Whether a text is there; a problem where it is not. */
    boolean hasText(@Nullable String value) {
        boolean present = value != null && !value.isEmpty();
        if (!present) {
            required("");
        }
        return present;
    }

    /** A text that is there and follows a rule. */
    void text(@Nullable String value, Function<String, Optional<String>> rule) {
        if (hasText(value)) {
            follows(value, rule);
        }
    }

    /** A text that follows a rule if it is there. */
    void optionalText(@Nullable String value, Function<String, Optional<String>> rule) {
        if (value != null && !value.isEmpty()) {
            follows(value, rule);
        }
    }

    private void follows(@Nullable String value, Function<String, Optional<String>> rule) {
        String text = String.valueOf(value);
        rule.apply(text).ifPresent(detail -> invalid(text, detail));
    }

    /** One of a few texts. */
    void oneOf(@Nullable String value, String... allowed) {
        if (value == null || !List.of(allowed).contains(value)) {
            problems.add(FieldProblem.notSupported(
                    path,
                    value == null ? "" : value,
                    List.of(allowed).stream().map(text -> "\"" + text + "\"").collect(Collectors.joining(", "))));
        }
    }

    /** One of a few texts, or absent. */
    void optionalOneOf(@Nullable String value, String... allowed) {
        if (value != null) {
            oneOf(value, allowed);
        }
    }

    void between(@Nullable Number value, long least, long most) {
        if (value != null && (value.longValue() < least || value.longValue() > most)) {
            invalid(value, "must be between " + least + " and " + most + ", inclusive");
        }
    }

    void notNegative(@Nullable Number value) {
        if (value != null && value.longValue() < 0) {
            invalid(value, "must be greater than or equal to 0");
        }
    }
}
