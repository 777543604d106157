package io.busbar.watcher;

import io.busbar.common.watch.Lister;
import io.busbar.common.watch.OthersWrites;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.Future;
import java.util.function.Function;
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
    private final Function<OthersWrites, Future<Void>> caughtUp;
    private final Supplier<Future<Void>> release;

    WatchHandle(
            Class<T> type,
            Lister<T> lister,
            Future<Void> synced,
            Function<OthersWrites, Future<Void>> caughtUp,
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
     * Completes when the lister shows what others have written until a moment: for who begins to write where they have
     * written until now. A watch does not tell how far behind it is. Where it is not known what they wrote, or the
     * watch does not pass the version of that soon, what has not been listed since is compared with a list of metadata,
     * and listed anew where the watch is late.
     *
     * @return waits as {@link #synced} does; fails when the watch ends meanwhile
     */
    public Future<Void> caughtUp(OthersWrites writes) {
        return caughtUp.apply(writes);
    }

    /** Lets go of the watch, for good: its triggers fire no more. Further calls do nothing, and return the same. */
    public Future<Void> close() {
        return release.get();
    }
}
