package io.busbar.sandbox.verbs;

import io.busbar.sandbox.select.FieldSelector;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.select.ShardSelector;
import org.jspecify.annotations.Nullable;

/**
 * Which objects, as of when, and how many at once.
 *
 * <p>Immutable.
 *
 * @param limit 0 for all
 * @param continuation empty for the first page
 * @param resourceVersion empty for the latest
 * @param match {@code Exact}, {@code NotOlderThan} or empty
 * @param shard null for objects of all ranges
 */
public record ListQuery(
        LabelSelector labels,
        FieldSelector fields,
        long limit,
        String continuation,
        String resourceVersion,
        String match,
        @Nullable ShardSelector shard) {

    public static final ListQuery ALL =
            new ListQuery(LabelSelector.everything(), FieldSelector.everything(), 0, "", "", "", null);

    /** Whether the list has to be as of its version: pages of a version that is named are, if nothing else is said. */
    boolean isExact(long version) {
        return match.equals("Exact") || (match.isEmpty() && limit > 0 && version > 0);
    }

    /** Who takes any version gets all of it at once. */
    long pageSize() {
        return resourceVersion.equals("0") && continuation.isEmpty() ? 0 : limit;
    }
}
