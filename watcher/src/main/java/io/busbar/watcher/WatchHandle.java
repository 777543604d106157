package io.busbar.watcher;

import io.busbar.common.watch.Lister;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.Future;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A hold on a watch, which runs until nobody holds it any more.
 *
 * <p>Any thread; futures complete on the context of whoever acquired the handle.
 */
public final class WatchHandle<T extends HasMetadata> {

    private final Class<T> type;
    private final Lister<T> lister;
    private final Future<Void> synced;
    private final LongFunction<Future<Void>> caughtUp;
    private final Supplier<Future<Void>> release;

    WatchHandle(
            Class<T> type,
            Lister<T> lister,
            Future<Void> synced,
            LongFunction<Future<Void>> caughtUp,
            Supplier<Future<Void>> release) {
        this.type = type;
        this.lister = lister;
        this.synced = synced;
        this.caughtUp = caughtUp;
        this.release = release;
    }

    /** The model class of the objects. */
    public Class<T> type() {
        return type;
    }

    /** Empty at first; a lister of a watch that was let go keeps what it last had. */
    public Lister<T> lister() {
        return lister;
    }

    /**
     * Completes when the first list is stored, all of it filed under the indexes of this handle's request, and told to
     * its triggers. Waits for ever while the API server cannot be reached, or does not know the resource.
     */
    public Future<Void> synced() {
        return synced;
    }

    /**
     * Completes when the lister shows what the API server had at a moment, or later. A watch does not tell how far
     * behind it is: what has not been listed since is compared with a list of metadata, and listed anew where the watch
     * is late. For who begins to write where another has written until now.
     *
     * @param moment by {@link System#nanoTime()}
     * @return waits as {@link #synced} does; fails when the watch ends meanwhile
     */
    public Future<Void> caughtUp(long moment) {
        return caughtUp.apply(moment);
    }

    /** Lets go of the watch, for good: its triggers fire no more. Further calls do nothing, and return the same. */
    public Future<Void> close() {
        return release.get();
    }
}
