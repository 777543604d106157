package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Every version of the objects of a kind in a namespace that a watch has shown since. Any thread. */
final class Seen<T extends HasMetadata> implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final List<T> objects = new CopyOnWriteArrayList<>();
    private final Watch watch;

    Seen(KubernetesClient client, Class<T> type, String namespace) {
        watch = client.resources(type).inNamespace(namespace).watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, T object) {
                if (action == Action.ADDED || action == Action.MODIFIED) {
                    synchronized (Seen.this) {
                        objects.add(object);
                        Seen.this.notifyAll();
                    }
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

    /**
     * Returns as soon as so many objects of different names were seen like that: for what has to be done in the middle
     * of something, for which a look every now and then might come too late.
     */
    synchronized void await(int many, Predicate<T> like) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (seen(like) < many) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError("not " + many + " like that were seen in " + PATIENCE + ", but " + seen(like));
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private long seen(Predicate<T> like) {
        return objects.stream()
                .filter(like)
                .map(object -> object.getMetadata().getName())
                .distinct()
                .count();
    }

    @Override
    public void close() {
        watch.close();
    }
}
