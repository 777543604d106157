package io.busbar.common.watch;

import io.busbar.common.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * Reads what a watch has stored. Never asks the API server, never blocks.
 *
 * <p>Any thread. What is returned belongs to the store: do not change it, copy it first. Objects lack managedFields, and
 * whatever else their {@link WatchSpec} did not keep.
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
}
