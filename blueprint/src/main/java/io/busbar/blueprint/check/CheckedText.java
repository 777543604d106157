package io.busbar.blueprint.check;

import io.busbar.blueprint.types.Shape;
import java.util.List;
import java.util.stream.Stream;

/**
 * A text with expressions that has been checked.
 *
 * <p>Any thread.
 *
 * @param wanted what it must come to
 */
public record CheckedText(List<Part> parts, boolean standalone, Shape wanted) {

    /** What it is made of. */
    public sealed interface Part {}

    /** What is copied. */
    public record Copied(String text) implements Part {}

    /** What is evaluated. */
    public record Evaluated(Formula formula) implements Part {}

    Stream<Formula> formulas() {
        return parts.stream()
                .flatMap(part -> part instanceof Evaluated evaluated ? Stream.of(evaluated.formula()) : Stream.empty());
    }
}
