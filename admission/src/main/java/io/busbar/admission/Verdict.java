package io.busbar.admission;

import java.util.List;

/**
 * What a validator found. Immutable.
 *
 * @param problems none for an object that may be stored
 * @param warnings for the user, in either case
 * @param audit for the cluster's audit log, in either case
 */
public record Verdict(List<FieldProblem> problems, List<String> warnings, AuditAnnotations audit) {

    public Verdict {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    public Verdict(List<FieldProblem> problems, List<String> warnings) {
        this(problems, warnings, AuditAnnotations.none());
    }

    public static Verdict ok() {
        return new Verdict(List.of(), List.of());
    }

    public static Verdict of(List<FieldProblem> problems) {
        return new Verdict(problems, List.of());
    }

    /**
     * The same with something for the audit log.
     *
     * @throws IllegalArgumentException as {@link AuditAnnotations#and} does
     */
    public Verdict audited(String key, String value) {
        return new Verdict(problems, warnings, audit.and(key, value));
    }
}
