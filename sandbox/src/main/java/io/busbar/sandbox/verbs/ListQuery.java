package io.busbar.sandbox.verbs;

import io.busbar.sandbox.select.FieldSelector;
import io.busbar.sandbox.select.LabelSelector;

/**
 * Which objects, as of when, and how many at once.
 *
 * <p>Immutable.
 *
 * @param limit 0 for all
 * @param continuation empty for the first page
 * @param resourceVersion empty for the latest
 * @param match {@code Exact}, {@code NotOlderThan} or empty
 */
public record ListQuery(
        LabelSelector labels,
        FieldSelector fields,
        long limit,
        String continuation,
        String resourceVersion,
        String match) {

    public static final ListQuery ALL =
            new ListQuery(LabelSelector.everything(), FieldSelector.everything(), 0, "", "", "");
}
