package io.busbar.blueprint.source;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * All that is wrong with one document, each thing once, by position.
 *
 * <p>One thread.
 */
public final class Problems {

    private final TreeSet<Problem> found = new TreeSet<>();

    /** Notes that something is wrong. */
    public void add(Place place, String message) {
        found.add(new Problem(place, message));
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** In one line. */
    public String text() {
        return found.stream().map(Problem::toString).collect(Collectors.joining("; "));
    }

    /** By position. */
    public List<Problem> list() {
        return List.copyOf(found);
    }
}
