package io.busbar.watcher.store;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;

/**
 * Objects as they were at one moment, each decoded when it is looked at: to walk over a large store takes no memory for
 * what has been passed.
 *
 * <p>Immutable, any thread.
 */
final class DecodingList<S, T> extends AbstractList<T> implements RandomAccess {

    private final List<S> stored;
    private final Function<S, T> decoder;

    DecodingList(List<S> stored, Function<S, T> decoder) {
        this.stored = stored;
        this.decoder = decoder;
    }

    @Override
    public T get(int position) {
        return decoder.apply(stored.get(position));
    }

    @Override
    public int size() {
        return stored.size();
    }
}
