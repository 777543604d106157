package io.busbar.watcher;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Addresses;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.SlowCalls;
import io.busbar.common.watch.Change;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.Trigger;
import io.busbar.common.watch.WatchRequest;
import io.busbar.watcher.store.Decoding;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.function.Supplier;

/** What one holder of a shared watch wants of it. Immutable; equal to itself alone. */
final class Attachment<T extends HasMetadata> {

    private final List<Index<T>> indexes;
    private final List<FiringTrigger<T>> triggers;
    private final Decoding looksAt;

    Attachment(WatchRequest<T> request, Listers listers, Addresses addresses, Guard guard, SlowCalls slow) {
        this.indexes = request.indexes();
        this.triggers = request.triggers().stream()
                .map(trigger -> new FiringTrigger<>(trigger, listers, addresses, guard, slow))
                .toList();
        this.looksAt = looksAt(request);
    }

    private static Decoding looksAt(WatchRequest<?> request) {
        if (request.indexes().isEmpty() && request.triggers().isEmpty()) {
            return Decoding.NOTHING;
        }
        boolean metadataOnly = request.indexes().stream().allMatch(Index::readsMetadataOnly)
                && request.triggers().stream().allMatch(Trigger::readsMetadataOnly);
        return metadataOnly ? Decoding.METADATA : Decoding.WHOLE;
    }

    /** How much of each object its indexes and triggers need. */
    Decoding looksAt() {
        return looksAt;
    }

    List<Index<T>> indexes() {
        return indexes;
    }

    boolean hasTriggers() {
        return !triggers.isEmpty();
    }

    /** Tells the controllers of a change, and how it is traced; on the watch's context. */
    void fire(Change<T> change, ObjectKey object, EventBus bus, Supplier<String> traceparent) {
        triggers.forEach(trigger -> trigger.fire(change, object, bus, traceparent));
    }
}
