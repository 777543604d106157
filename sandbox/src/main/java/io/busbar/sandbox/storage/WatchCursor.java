package io.busbar.sandbox.storage;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where one watch stands in the history of a kind. It holds no events: a slow reader costs nothing, and is told when it
 * fell behind so far that events are lost.
 *
 * <p>One context.
 */
public final class WatchCursor {

    private final EventLog log;
    private final LongSupplier horizon;
    private final Runnable wake;
    private final Consumer<WatchCursor> onClose;
    private long position;
    private long read;

    /** @param horizon the revision up to which events may be read for now */
    WatchCursor(EventLog log, long revision, LongSupplier horizon, Runnable wake, Consumer<WatchCursor> onClose) {
        this.log = log;
        this.position = log.after(revision);
        this.read = revision;
        this.horizon = horizon;
        this.wake = wake;
        this.onClose = onClose;
    }

    /** Whether events were forgotten before they were read. */
    public boolean lost() {
        return position < log.start();
    }

    /** The next event, or null when all that may be read were. */
    public @Nullable StoreEvent next() {
        if (!behind()) {
            return null;
        }
        StoreEvent event = log.at(position);
        if (event.revision() > horizon.getAsLong()) {
            return null;
        }
        position++;
        read = event.revision();
        return event;
    }

    /** Whether there are events that were not read, be it that they may not be read yet. */
    public boolean behind() {
        return position < log.end();
    }

    /**
     * The revision up to which all events were read, once {@link #next} has none; less than it began from when it sees
     * no further.
     */
    public long reached() {
        return behind() ? Math.min(horizon.getAsLong(), log.at(position).revision() - 1) : horizon.getAsLong();
    }

    /** The revision that was begun from, or that of the last event. */
    public long read() {
        return read;
    }

    public void close() {
        onClose.accept(this);
    }

    void wake() {
        wake.run();
    }
}
