package io.busbar.sandbox.patch;

import org.jspecify.annotations.Nullable;

/**
 * How a strategic merge patch treats the value at one place of a kind.
 *
 * <p>Implementations are immutable.
 */
public interface MergeKeys {

    /** Knows of nothing: maps merge, lists are replaced, as in kinds that declare no merge keys. */
    MergeKeys NONE = new MergeKeys() {};

    /** For the field of an object. */
    default MergeKeys field(String name) {
        return NONE;
    }

    /** For the items of a list. */
    default MergeKeys items() {
        return NONE;
    }

    /** The field that tells the objects of a list apart; null when the list does not merge by key. */
    default @Nullable String mergeKey() {
        return null;
    }

    /** Whether an object is replaced rather than merged. */
    default boolean replaces() {
        return false;
    }

    /** Whether a list of scalars is a union rather than replaced. */
    default boolean mergesScalars() {
        return false;
    }
}
