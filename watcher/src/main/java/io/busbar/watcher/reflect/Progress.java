package io.busbar.watcher.reflect;

import io.busbar.common.ObjectKey;
import io.busbar.watcher.wire.RawObject;
import io.busbar.watcher.wire.Signal;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How far a stream has come: brings what arrives to the sink, and remembers where to go on.
 *
 * <p>One context.
 */
final class Progress<E> {

    private final Sink<E> sink;
    private final StreamMetrics metrics;
    /** As in {@link Reflector}. */
    private final @Nullable Predicate<String> owners;
    /** Whether what is told is part of a list, which comes in no order. */
    private boolean listing;

    private boolean everListed;
    private volatile String resourceVersion = "";
    private Set<ObjectKey> listed = new HashSet<>();
    private Signal.@Nullable ListEnd pageEnd;
    private long listBegun;
    private final AtomicInteger relists = new AtomicInteger();

    Progress(Sink<E> sink, StreamMetrics metrics, @Nullable Predicate<String> owners) {
        this.sink = sink;
        this.metrics = metrics;
        this.owners = owners;
    }

    /** Whether a list has begun that is not whole. */
    boolean listing() {
        return listing;
    }

    /** Where to resume; empty before the first list. Any thread. */
    String resourceVersion() {
        return resourceVersion;
    }

    /** When the list that was begun last began, by {@link System#nanoTime()}. */
    long listBegun() {
        return listBegun;
    }

    /** How many lists were made since a watch was lost. Any thread. */
    int relists() {
        return relists.get();
    }

    /** How the page that was read last has ended; null if it has not. */
    Signal.@Nullable ListEnd pageEnd() {
        return pageEnd;
    }

    /** @param wanted whether it is made although nothing was lost */
    void beginList(boolean wanted) {
        boolean again = everListed && !wanted;
        metrics.list(again);
        if (again) {
            relists.incrementAndGet();
        }
        listed = new HashSet<>();
        listing = true;
        listBegun = System.nanoTime();
    }

    void beginPage() {
        pageEnd = null;
    }

    void beginWatch() {
        listing = false;
        metrics.watch();
    }

    /** Takes what is not a failure. */
    void take(Arrival<E> arrival) {
        Signal signal = arrival.signal();
        E object = arrival.object();
        if (signal instanceof Signal.Listed item) {
            listed(item.object(), object);
        } else if (signal instanceof Signal.ListEnd end) {
            pageEnd = end;
        } else if (signal instanceof Signal.Changed changed) {
            changed(changed.object(), object);
        } else if (signal instanceof Signal.Deleted deleted) {
            deleted(deleted.object(), object);
        } else if (signal instanceof Signal.Bookmark bookmark) {
            bookmark(bookmark);
        }
    }

    /**
     * Whether an object is this replica's to keep. What has arrived may have to be dropped by the time that it is
     * brought; what was dropped as it arrived and is to be kept by then is in the list that follows.
     */
    boolean keeps(RawObject raw) {
        return owners == null || (!raw.isAnothers() && owners.test(raw.controllerUid()));
    }

    private void listed(RawObject raw, @Nullable E object) {
        if (keeps(raw)) {
            listed.add(raw.key());
            put(object, "");
        } else {
            listed.remove(raw.key());
        }
    }

    /** The list that was begun last is whole. */
    void completeList(String version) {
        resourceVersion = version;
        everListed = true;
        metrics.listed(Duration.ofNanos(System.nanoTime() - listBegun));
        sink.retain(listed, version);
        listed = new HashSet<>();
    }

    private void changed(RawObject raw, @Nullable E object) {
        if (listing) {
            listed(raw, object);
            return;
        }
        resourceVersion = raw.resourceVersion();
        if (keeps(raw)) {
            put(object, resourceVersion);
        } else {
            sink.drop(raw.key(), resourceVersion);
        }
    }

    private void put(@Nullable E object, String reached) {
        if (object != null) {
            sink.put(object, !everListed, reached);
        }
    }

    private void deleted(RawObject raw, @Nullable E object) {
        if (listing) {
            listed.remove(raw.key());
            remove(object, "");
            return;
        }
        resourceVersion = raw.resourceVersion();
        if (keeps(raw)) {
            remove(object, resourceVersion);
        } else {
            sink.drop(raw.key(), resourceVersion);
        }
    }

    private void remove(@Nullable E last, String reached) {
        if (last != null) {
            sink.remove(last, reached);
        }
    }

    private void bookmark(Signal.Bookmark bookmark) {
        if (!listing) {
            resourceVersion = bookmark.resourceVersion();
            sink.reached(resourceVersion);
        } else if (bookmark.endsInitialEvents()) {
            completeList(bookmark.resourceVersion());
            beginWatch();
        }
    }
}
