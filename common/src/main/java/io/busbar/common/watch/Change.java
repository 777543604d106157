package io.busbar.common.watch;

import org.jspecify.annotations.Nullable;

/**
 * What a watch has seen of one object: before and after.
 *
 * <p>Immutable.
 *
 * @param before null for one that is added
 * @param after null for one that is deleted
 * @param initial whether it is part of the first list: it is added only in the sense that the watch had not known it
 */
public record Change<T>(@Nullable T before, @Nullable T after, boolean initial) {

    public Change {
        if (before == null && after == null) {
            throw new IllegalArgumentException("a change has neither a before nor an after");
        }
    }

    public static <T> Change<T> added(T after) {
        return new Change<>(null, after, false);
    }

    public static <T> Change<T> listed(T after) {
        return new Change<>(null, after, true);
    }

    public static <T> Change<T> modified(T before, T after) {
        return new Change<>(before, after, false);
    }

    public static <T> Change<T> deleted(T before) {
        return new Change<>(before, null, false);
    }

    /** Whether the object was there before and is still. */
    public boolean isModification() {
        return before != null && after != null;
    }
}
