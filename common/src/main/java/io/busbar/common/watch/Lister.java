package io.busbar.common.watch;

import io.busbar.common.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * Reads what a watch has stored. Never asks the API server, never blocks.
 *
 * <p>Any thread. What is returned belongs to the store: do not change it, copy it first. Objects lack managedFields,
 * and whatever else their {@link WatchSpec} did not keep.
 */
public interface Lister<T> {

    Optional<T> get(ObjectKey key);

    /** All objects, in no order. */
    List<T> list();

    /** The objects of a namespace, in no order. */
    List<T> list(String namespace);

    /**
     * The objects that an index files under a value, in no order.
     *
     * @throws IllegalArgumentException when the watch was not declared with this index
     */
    List<T> by(Index<T> index, String value);

    /** How many objects there are. */
    int size();

    /** Whether the first list has been stored. */
    boolean synced();

    /**
     * Which watch this reads, as {@link io.busbar.common.bus.ResourceChanged} names it; empty where no watch feeds it.
     */
    default String watch() {
        return "";
    }

    /**
     * How far the watch has come in a namespace, where each namespace that the watch names has a stream of its own. It
     * is raised after a change is stored, and before anyone is told of that change; by a list when all of it is stored,
     * before anyone is told what it shows to be gone. Without bookmarks, which some API servers do not send, it stays
     * where the last change of what is watched has brought it.
     *
     * <p>To conclude from it that an object is gone, ask this first and look for the object afterwards: it may come in
     * between.
     *
     * @param namespace empty for cluster-scoped objects
     */
    default Reached reached(String namespace) {
        return Reached.NOTHING;
    }
}
