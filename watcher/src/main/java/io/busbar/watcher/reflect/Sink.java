package io.busbar.watcher.reflect;

import io.busbar.common.ObjectKey;
import io.busbar.watcher.wire.RawObject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link Reflector} brings what it sees. Called on the reflector's context, but for {@link #prepare}. Whatever
 * is thrown is counted and makes the reflector list again, after a wait.
 *
 * @param <E> an object as it is made ready for the context
 */
public interface Sink<E> {

    /** Does the work on an object that needs no context. Called on the HTTP client's threads; must not block. */
    E prepare(RawObject raw);

    /**
     * An object is there, and looks like this; it may be known already.
     *
     * @param first whether it is part of the first list
     * @param reached the version up to which all has been brought, with this; empty for a part of a list, which comes
     *     in no order
     */
    void put(E object, boolean first, String reached);

    /**
     * An object is gone.
     *
     * @param last how it last was
     * @param reached as with {@link #put}
     */
    void remove(E last, String reached);

    /**
     * An object is another replica's to keep, or was so already when it was deleted; it may never have been brought.
     *
     * @param reached as with {@link #put}
     */
    void drop(ObjectKey key, String reached);

    /**
     * A list is complete: what else there was in the reflector's namespace is gone. After the first time, the stream is
     * synced.
     *
     * @param reached the list's version, which may be older than what was reached before
     */
    void retain(Set<ObjectKey> listed, String reached);

    /** There is nothing to bring up to this version. */
    void reached(String version);

    /** The keys of what has been brought and is there, of the reflector's namespace. */
    Set<ObjectKey> keys();

    /** The version in which an object was brought; null where it is not there. */
    @Nullable
    String version(ObjectKey key);
}
