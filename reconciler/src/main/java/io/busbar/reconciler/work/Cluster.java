package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.write.ApiRequests;
import io.busbar.reconciler.write.Applier;
import io.busbar.reconciler.write.ObjectWriter;
import io.busbar.reconciler.write.OwnWrites;
import io.busbar.reconciler.write.PrimaryWriter;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/**
 * The cluster as one controller reads and writes it.
 *
 * <p>Any thread.
 *
 * @param stores what the watches hold
 * @param overlaid the same, own writes included
 */
record Cluster<P extends HasMetadata>(
        Class<P> type,
        Listers stores,
        Listers overlaid,
        OwnWrites writes,
        Applier applier,
        ObjectWriter objects,
        PrimaryWriter<P> writer,
        EventRecorder events,
        KubernetesClient client) {

    static <P extends HasMetadata> Cluster<P> of(
            Controller<P> controller, Listers stores, ApiRequests api, EventRecorder events, KubernetesClient client) {
        OwnWrites writes = new OwnWrites(System::nanoTime);
        return new Cluster<>(
                controller.type(),
                stores,
                writes.over(stores),
                writes,
                new Applier(controller.name(), api, stores, writes),
                new ObjectWriter(controller.name(), api, stores, writes),
                new PrimaryWriter<>(controller.type(), api, writes),
                events,
                client);
    }

    Optional<P> primary(ObjectKey key) {
        return overlaid.lister(type).get(key);
    }

    /** Takes note of what a watch has stored. */
    void changed(Class<? extends HasMetadata> changed, ResourceChanged change) {
        if (change.kind() == ResourceChanged.Kind.DELETED) {
            writes.deleted(changed, change.key(), change.resourceVersion(), stores);
            applier.deleted(changed, change.key());
        } else {
            writes.settle(changed, change.key(), stores);
        }
    }

    /**
     * Lays over the store what was written by other means.
     *
     * @throws IllegalArgumentException when the kind is not watched: nothing would ever read this
     */
    <T extends HasMetadata> void remember(T written) {
        @SuppressWarnings("unchecked") // an object's class is a class of its type
        Lister<T> store = stores.lister((Class<T>) written.getClass());
        writes.remember(written, store.get(ObjectKey.of(written)));
    }
}
