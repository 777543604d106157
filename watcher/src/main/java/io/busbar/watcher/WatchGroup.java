package io.busbar.watcher;

import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.OthersWrites;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The watches of one controller, held and read together.
 *
 * <p>Any thread; futures complete on the context of whoever acquired the group.
 */
public final class WatchGroup implements Listers {

    private final Watches all;
    private final Map<Class<?>, Lister<?>> listers = new HashMap<>();
    private final List<WatchHandle<?>> handles = new CopyOnWriteArrayList<>();

    /**
     * @param watches all of the group, before any of them starts
     */
    WatchGroup(Watches all, List<SharedWatch<?>> watches) {
        this.all = all;
        watches.forEach(watch -> listers.putIfAbsent(watch.spec().type(), watch.lister()));
    }

    void add(WatchHandle<?> handle) {
        handles.add(handle);
    }

    /** In the order of the requests. */
    public List<WatchHandle<?>> handles() {
        return List.copyOf(handles);
    }

    /** The lister of this group's first watch of a type; where it has none, that of any other. */
    @Override
    @SuppressWarnings("unchecked") // filed under its own type
    public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
        Lister<?> own = listers.get(type);
        return own == null ? all.lister(type) : (Lister<T>) own;
    }

    /** Completes when all handles are synced. */
    public Future<Void> synced() {
        return Future.join(handles.stream().map(WatchHandle::synced).toList()).mapEmpty();
    }

    /** As {@link WatchHandle#caughtUp}, for all of them. */
    public Future<Void> caughtUp(OthersWrites writes) {
        return Future.join(
                        handles.stream().map(handle -> handle.caughtUp(writes)).toList())
                .mapEmpty();
    }

    /** Lets go of all watches. */
    public Future<Void> close() {
        return Future.join(handles.stream().map(WatchHandle::close).toList()).mapEmpty();
    }
}
