package io.busbar.reconciler.source;

import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Has a primary reconciled when the program says so: a handle that is given to whatever learns of changes, such as a
 * client of another system.
 *
 * <pre>{@code
 * CallSource pushes = new CallSource("git-push");
 * Controller.of(Build.class, reconciler).source(pushes);
 * git.onPush(push -> pushes.enqueue(ObjectKey.of("builds", push.repository())));
 * }</pre>
 *
 * <p>Any thread.
 */
public final class CallSource implements EventSource<HasMetadata> {

    private final String name;
    private final List<Consumer<ObjectKey>> queues = new CopyOnWriteArrayList<>();

    /** @param name stands in logs; unique in a controller */
    public CallSource(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Has a primary reconciled soon, by each controller that has declared this source. Returns at once. Does nothing
     * before a controller is deployed, which looks at every primary when it starts, and after it has stopped.
     *
     * @param key whether or not there is such a primary
     */
    public void enqueue(ObjectKey key) {
        queues.forEach(queue -> queue.accept(key));
    }

    /**
     * For whoever runs a controller: where keys go from now on.
     *
     * @param queue must take them on any thread, and not throw
     * @return ends that
     */
    public Runnable attach(Consumer<ObjectKey> queue) {
        Consumer<ObjectKey> once = key -> queue.accept(key);
        queues.add(once);
        return () -> queues.remove(once);
    }
}
