package io.busbar.admission;

import java.util.List;

/**
 * What a validator found. Immutable.
 *
 * @param problems none for an object that may be stored
 * @param warnings for the user, in either case
 */
public record Verdict(List<FieldProblem> problems, List<String> warnings) {

    public Verdict {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    public static Verdict ok() {
        return new Verdict(List.of(), List.of());
    }

    public static Verdict of(List<FieldProblem> problems) {
        return new Verdict(problems, List.of());
    }
}
