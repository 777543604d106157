package io.busbar.operator.demo;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The objects of a kind as they change, from now on. For one thread beside the client's, which tells of them. */
final class Followed<T extends HasMetadata> implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final BlockingQueue<T> changed = new LinkedBlockingQueue<>();
    private final Class<T> type;
    private final Watch watch;

    Followed(KubernetesClient client, Class<T> type, Consumer<T> telling) {
        this.type = type;
        this.watch = client.resources(type).inAnyNamespace().watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, T object) {
                if (action == Action.ADDED || action == Action.MODIFIED) {
                    telling.accept(object);
                    changed.add(object);
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                // The story waits on its own requests, not on this watch.
            }
        });
    }

    /**
     * Blocks until an object changes to what is expected, and returns it.
     *
     * @throws IllegalStateException when that takes longer than half a minute
     */
    T await(String expectation, Predicate<T> met) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        T object;
        do {
            object = changed.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (object == null) {
                throw new IllegalStateException("no " + type.getSimpleName() + " that is " + expectation + " in "
                        + PATIENCE.toSeconds() + " s");
            }
        } while (!met.test(object));
        return object;
    }

    @Override
    public void close() {
        watch.close();
    }
}
