package io.busbar.watcher;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.bus.ResourceListed;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.Change;
import io.busbar.watcher.store.StoreChange;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Tells the bus what the store has taken: everyone that there is a change, and the controllers which of their primaries
 * it concerns.
 *
 * <p>Publishes on one context; attachments come and go on any thread.
 */
final class ChangePublisher<T extends HasMetadata> {

    private final ResourceType type;
    private final String watch;
    private final String cluster;
    private final String changes;
    private final String lists;
    private final EventBus bus;
    private final Tracing tracing;
    private final List<Attachment<T>> attachments = new CopyOnWriteArrayList<>();

    ChangePublisher(ResourceType type, String watch, EventBus bus, Tracing tracing, Addresses addresses) {
        this.type = type;
        this.watch = watch;
        this.cluster = addresses.cluster();
        this.changes = addresses.changes(type);
        this.lists = addresses.lists(type);
        this.bus = bus;
        this.tracing = tracing;
    }

    void attach(Attachment<T> attachment) {
        attachments.add(attachment);
    }

    void detach(Attachment<T> attachment) {
        attachments.remove(attachment);
    }

    void publish(StoreChange<T> stored) {
        ObjectKey key = stored.key().in(cluster);
        bus.publish(changes, new ResourceChanged(type, watch, key, stored.kind(), stored.resourceVersion()));
        // In this order: what they look at was said before they were attached.
        List<Attachment<T>> concerned =
                attachments.stream().filter(Attachment::hasTriggers).toList();
        if (!concerned.isEmpty()) {
            stored.change().get().ifPresent(change -> fire(concerned, change, key, stored.resourceVersion()));
        }
    }

    /** Tells everyone, but no controller, that an object is not stored any more: it is in a namespace that is left. */
    void publishLeft(StoreChange<T> left) {
        bus.publish(
                changes, new ResourceChanged(type, watch, left.key().in(cluster), left.kind(), left.resourceVersion()));
    }

    /**
     * Tells everyone that the store was compared with a new list.
     *
     * @param namespace empty for all
     */
    void publishList(String namespace) {
        bus.publish(lists, new ResourceListed(type, watch, namespace));
    }

    /** Tells one who came late of what was stored before. */
    void publish(T stored, ObjectKey key, Attachment<T> late) {
        fire(
                List.of(late),
                Change.listed(stored),
                key.in(cluster),
                stored.getMetadata().getResourceVersion());
    }

    private void fire(List<Attachment<T>> concerned, Change<T> change, ObjectKey key, String resourceVersion) {
        if (tracing.isOn()) {
            ChangeTrace trace = new ChangeTrace(tracing, type, key, change, resourceVersion);
            concerned.forEach(attachment -> attachment.fire(change, key, bus, trace::traceparent));
            trace.end();
        } else {
            concerned.forEach(attachment -> attachment.fire(change, key, bus, ChangePublisher::untraced));
        }
    }

    private static String untraced() {
        return "";
    }
}
