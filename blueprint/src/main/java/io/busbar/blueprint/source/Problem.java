package io.busbar.blueprint.source;

import java.util.Comparator;

/**
 * Something that is wrong with a document; one line for people.
 *
 * <p>Immutable.
 */
public record Problem(Place place, String message) implements Comparable<Problem> {

    private static final Comparator<Problem> BY_POSITION = Comparator.<Problem>comparingInt(
                    problem -> problem.place.line())
            .thenComparingInt(problem -> problem.place.column())
            .thenComparing(problem -> problem.place.path())
            .thenComparing(Problem::message);

    /** Line breaks of the message become spaces. */
    public Problem {
        message = message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    @Override
    public int compareTo(Problem other) {
        return BY_POSITION.compare(this, other);
    }

    /** What is wrong, and where in the field, but not in which. */
    public String words() {
        if (place.hasLine()) {
            return "line " + place.line() + ", column " + place.column() + ": " + message;
        }
        return place.column() > 0 ? "character " + place.column() + ": " + message : message;
    }

    @Override
    public String toString() {
        return place.path().isEmpty() ? words() : place.path() + ": " + words();
    }
}
