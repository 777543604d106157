package io.busbar.watcher;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Change;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchRequest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.function.Supplier;

/** What one holder of a shared watch wants of it. Immutable; equal to itself alone. */
final class Attachment<T extends HasMetadata> {

    private final List<Index<T>> indexes;
    private final List<FiringTrigger<T>> triggers;

    Attachment(WatchRequest<T> request, Listers listers) {
        this.indexes = request.indexes();
        this.triggers = request.triggers().stream()
                .map(trigger -> new FiringTrigger<>(trigger, listers))
                .toList();
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
