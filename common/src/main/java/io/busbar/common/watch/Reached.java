package io.busbar.common.watch;

import io.busbar.common.ResourceVersions;
import java.util.OptionalInt;

/**
 * How far a stream of a watch has come: every change of what it watches, up to and including a version, is in the
 * store.
 *
 * <p>Immutable.
 *
 * @param version a resourceVersion; empty before the first list is complete
 * @param history 0, and one more each time that versions went back. That happens when the API server's database is
 *     restored from a backup: what was written since the backup is lost then, and its versions are given to other
 *     changes. A list that is older than the one before looks the same. Versions of two histories must not be compared.
 */
public record Reached(String version, int history) {

    /**
     * Before the first list; and for good in a namespace that the watch leaves out, or where no watch feeds the lister.
     */
    public static final Reached NOTHING = new Reached("", 0);

    /**
     * Whether a change of this version, in this history, is in the store, or one after it of the same object; false
     * where the versions are not numbers, and so have no order.
     */
    public boolean includes(String change) {
        OptionalInt order = ResourceVersions.compare(change, version);
        return order.isPresent() && order.getAsInt() <= 0;
    }

    /** After a change, a bookmark or a list of this version: in the next history if it is older. */
    public Reached next(String now) {
        boolean back = ResourceVersions.compare(now, version).orElse(0) < 0;
        return new Reached(now, back ? history + 1 : history);
    }
}
