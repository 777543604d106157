package io.busbar.watcher.reflect;

import io.busbar.common.ObjectKey;
import io.busbar.watcher.wire.RawObject;
import java.util.Set;

/**
 * Where a {@link Reflector} brings what it sees. Called on the reflector's context, but for {@link #prepare}.
 *
 * @param <E> an object as it is made ready for the context
 */
public interface Sink<E> {

    /** Does the work on an object that needs no context. Called on the HTTP client's threads; must neither block nor throw. */
    E prepare(RawObject raw);

    /**
     * An object is there, and looks like this; it may be known already.
     *
     * @param first whether it is part of the first list
     */
    void put(E object, boolean first);

    /** An object is gone; this is how it last was. */
    void remove(E last);

    /**
     * A list is complete: what else there was in the reflector's namespace is gone. After the first time, the stream is
     * synced.
     */
    void retain(Set<ObjectKey> listed);
}
