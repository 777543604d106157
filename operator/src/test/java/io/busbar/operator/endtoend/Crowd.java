package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.ResourceNotFoundException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Programs that keep every connection to a server that they can get, and ask for more again and again, as the pools of
 * programs do that wait for the server.
 *
 * <p>Any thread.
 */
final class Crowd implements AutoCloseable {

    private static final int PAUSE_MILLIS = 50;

    private final Supplier<SqlClient> connections;
    private final List<SqlClient> kept = new CopyOnWriteArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final Thread thread = new Thread(this::keepAsking, "crowd");
    private volatile boolean closed;

    private Crowd(Supplier<SqlClient> connections) {
        this.connections = connections;
    }

    /** @param connections opens one more, or is refused */
    static Crowd gather(Supplier<SqlClient> connections) {
        Crowd crowd = new Crowd(connections);
        crowd.thread.start();
        return crowd;
    }

    private void keepAsking() {
        while (!closed) {
            try {
                kept.add(connections.get());
            } catch (IllegalStateException | ResourceNotFoundException | KubernetesClientException full) {
                refused.incrementAndGet();
                try {
                    Thread.sleep(PAUSE_MILLIS);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    /** How often they were refused so far. */
    int refused() {
        return refused.get();
    }

    /** The connections end, and no more are asked for. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        kept.forEach(SqlClient::close);
    }
}
