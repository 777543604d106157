package io.busbar.sandbox.storage;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where one watch stands in the history of a kind. It holds no events: a slow reader costs nothing, and is told when it fell behind
 * so far that events are lost.
 *
 * <p>One context.
 */
public final class WatchCursor {

    private final EventLog log;
    private final Runnable wake;
    private final Consumer<WatchCursor> onClose;
    private long position;

    WatchCursor(EventLog log, long position, Runnable wake, Consumer<WatchCursor> onClose) {
        this.log = log;
        this.position = position;
        this.wake = wake;
        this.onClose = onClose;
    }

    /** Whether events were forgotten before they were read. */
    public boolean lost() {
        return position < log.start();
    }

    /** The next event, or null when all were read. */
    public @Nullable StoreEvent next() {
        return position >= log.end() ? null : log.at(position++);
    }

    /** Whether all events were read. */
    public boolean atEnd() {
        return position >= log.end();
    }

    public void close() {
        onClose.accept(this);
    }

    void wake() {
        wake.run();
    }
}
