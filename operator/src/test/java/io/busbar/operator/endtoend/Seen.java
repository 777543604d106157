package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Every version of the objects of a kind in a namespace that a watch has shown since. Any thread. */
final class Seen<T extends HasMetadata> implements AutoCloseable {

    private final List<T> objects = new CopyOnWriteArrayList<>();
    private final Watch watch;

    Seen(KubernetesClient client, Class<T> type, String namespace) {
        watch = client.resources(type).inNamespace(namespace).watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, T object) {
                if (action == Action.ADDED || action == Action.MODIFIED) {
                    objects.add(object);
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                // What is expected and was not seen fails the test.
            }
        });
    }

    /** In their order, those of a name. */
    List<T> objects(String name) {
        return objects.stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .toList();
    }

    @Override
    public void close() {
        watch.close();
    }
}
