package io.busbar.sandbox.kinds.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.SyncLoop;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes Events that nobody has written for an hour, as the store of a real API server does.
 *
 * <p>One context. All live equally long, so the next to go is always the first in line: one timer serves all.
 */
public final class EventExpiry {

    private static final Duration LIFE = Duration.ofHours(1);
    private static final ObjectKey ALL = ObjectKey.of("events");

    private final MemoryStore store;
    private final ClusterClock clock;
    private final SyncLoop loop;
    private final Map<ObjectKey, Instant> ends = new LinkedHashMap<>();

    private EventExpiry(Vertx vertx, MemoryStore store, ClusterClock clock) {
        this.store = store;
        this.clock = clock;
        this.loop = new SyncLoop(vertx, clock, "event-expiry", key -> expire());
    }

    public static EventExpiry start(Vertx vertx, MemoryStore store, ClusterClock clock) {
        EventExpiry expiry = new EventExpiry(vertx, store, clock);
        store.shelf(Kind.EVENT.resource()).objects("").keySet().forEach(expiry::written);
        store.onChange(expiry::changed);
        return expiry;
    }

    /** Begins nothing any more. */
    public void stop() {
        loop.stop();
    }

    private void changed(StoreEvent event) {
        if (!event.resource().equals(Kind.EVENT.resource())) {
            return;
        }
        if (event.type() == StoreEvent.Type.DELETED) {
            ends.remove(event.key());
        } else {
            written(event.key());
        }
    }

    private void written(ObjectKey key) {
        boolean first = ends.isEmpty();
        ends.remove(key);
        ends.put(key, clock.instant().plus(LIFE));
        if (first) {
            loop.soon(ALL);
        }
    }

    private Future<@Nullable Duration> expire() {
        Instant now = clock.instant();
        for (ObjectKey key : due(now)) {
            ObjectNode event = store.shelf(Kind.EVENT.resource()).get(key);
            if (event != null) {
                store.remove(Kind.EVENT.resource(), key, event, event.deepCopy());
            }
        }
        Iterator<Instant> left = ends.values().iterator();
        return Future.succeededFuture(left.hasNext() ? Duration.between(now, left.next()) : null);
    }

    private List<ObjectKey> due(Instant now) {
        return ends.entrySet().stream()
                .takeWhile(entry -> !entry.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
    }
}
