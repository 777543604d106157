package io.busbar.sandbox.server;

import io.busbar.sandbox.storage.StoreEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the parts of the cluster of every change, in order, after the write that made it.
 *
 * <p>One context. A listener that throws is logged, and told of the next change all the same.
 */
public final class ChangeFeed {

    private static final Logger log = LoggerFactory.getLogger(ChangeFeed.class);

    private record Listener(long since, Consumer<StoreEvent> handler) {}

    private final Set<Listener> listeners = new LinkedHashSet<>();
    private final Queue<StoreEvent> waiting = new ArrayDeque<>();
    private final Executor later;
    private boolean draining;

    /** @param later runs a task on this context, after the current one */
    public ChangeFeed(Executor later) {
        this.later = later;
    }

    /** Takes a change, within the write. */
    public void changed(StoreEvent event) {
        waiting.add(event);
        if (!draining) {
            draining = true;
            later.execute(this::drain);
        }
    }

    /**
     * @param since the revision up to which the listener knows everything
     * @return ends the listening when run
     */
    Runnable listen(long since, Consumer<StoreEvent> handler) {
        Listener listener = new Listener(since, handler);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private void drain() {
        draining = false;
        List<StoreEvent> events = new ArrayList<>(waiting);
        waiting.clear();
        for (StoreEvent event : events) {
            for (Listener listener : List.copyOf(listeners)) {
                if (event.revision() > listener.since()) {
                    tell(listener, event);
                }
            }
        }
    }

    private static void tell(Listener listener, StoreEvent event) {
        try {
            listener.handler().accept(event);
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("resource", event.resource())
                    .addKeyValue("key", event.key())
                    .setCause(e)
                    .log("a part of the sandbox failed on a change");
        }
    }
}
