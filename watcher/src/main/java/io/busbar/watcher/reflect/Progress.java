package io.busbar.watcher.reflect;

import io.busbar.common.ObjectKey;
import io.busbar.watcher.wire.RawObject;
import io.busbar.watcher.wire.Signal;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a stream has come: brings what arrives to the sink, and remembers where to go on.
 *
 * <p>One context.
 */
final class Progress<E> {

    private final Sink<E> sink;
    private final StreamMetrics metrics;
    /** Whether what is told is part of a list, which comes in no order. */
    private boolean listing;

    private boolean everListed;
    private String resourceVersion = "";
    private Set<ObjectKey> listed = new HashSet<>();
    private Signal.@Nullable ListEnd pageEnd;
    private long listBegun;

    Progress(Sink<E> sink, StreamMetrics metrics) {
        this.sink = sink;
        this.metrics = metrics;
    }

    /** Whether a list has begun that is not whole. */
    boolean listing() {
        return listing;
    }

    /** Where to resume; empty before the first list. */
    String resourceVersion() {
        return resourceVersion;
    }

    /** When the list that was begun last began, by {@link System#nanoTime()}. */
    long listBegun() {
        return listBegun;
    }

    /** How the page that was read last has ended; null if it has not. */
    Signal.@Nullable ListEnd pageEnd() {
        return pageEnd;
    }

    void beginList() {
        metrics.list(everListed);
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
            listed.add(item.object().key());
            put(object, "");
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
            listed.add(raw.key());
            put(object, "");
        } else {
            resourceVersion = raw.resourceVersion();
            put(object, resourceVersion);
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
        } else {
            resourceVersion = raw.resourceVersion();
            remove(object, resourceVersion);
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
