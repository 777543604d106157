package io.busbar.scaffold;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a command has done, and what people do next.
 *
 * <p>Immutable.
 *
 * @param changes by path
 * @param next a line each
 */
public record Outcome(List<Change> changes, List<String> next) {

    /** What has become of a file. */
    public enum What {
        /** It was not there. */
        MADE,
        /** It is the scaffold's, or nobody had written in it. */
        REMADE,
        /** What people wrote and what the scaffold makes now stand together in it. */
        MERGED,
        /** The same, but for places that are marked. */
        CONFLICT,
        /** The scaffold makes it no more, and nobody had written in it. */
        DELETED,
        /** The scaffold would make it otherwise; it is people's, and stays as it is. */
        KEPT
    }

    /** One file. */
    public record Change(What what, String path) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%-8s %s", what.name().toLowerCase(Locale.ROOT), path);
        }
    }

    public Outcome {
        changes = List.copyOf(changes);
        next = List.copyOf(next);
    }

    /** Paths with which something has been done. */
    public List<String> paths(What what) {
        return changes.stream()
                .filter(change -> change.what() == what)
                .map(Change::path)
                .toList();
    }

    /** For people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        changes.forEach(change -> lines.add(change.toString()));
        if (changes.isEmpty()) {
            lines.add("nothing to do");
        }
        if (!next.isEmpty()) {
            lines.add("");
            lines.add("Next:");
            next.forEach(line -> lines.add("  " + line));
        }
        return lines;
    }

    Outcome then(List<String> steps) {
        return new Outcome(changes, steps);
    }
}
