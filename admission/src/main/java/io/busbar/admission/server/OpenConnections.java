package io.busbar.admission.server;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, with the exchanges that each is in: one at a time, but for HTTP/2. Closes those that have been quiet for long, and at the end
 * all of them.
 *
 * <p>One context. Time is looked at when {@link #sweep} is called, not by a timer for each request.
 */
final class OpenConnections {

    /** While draining, a connection may stay this long for a request that is on its way. */
    private static final long PARTING_NANOS = Duration.ofMillis(500).toNanos();

    private final long idleNanos;
    private final Map<HttpConnection, State> open = new HashMap<>();
    private @Nullable Promise<Void> drained;

    OpenConnections(Duration idleTimeout) {
        this.idleNanos = idleTimeout.toNanos();
    }

    private static final class State {
        private long quietSince = System.nanoTime();
        private final Set<Exchange> exchanges = new HashSet<>(2);

        boolean multiplexed() {
            return exchanges.stream().anyMatch(Exchange::multiplexed);
        }
    }

    void opened(HttpConnection connection) {
        open.put(connection, new State());
        connection.closeHandler(closed -> closed(connection));
    }

    void begin(HttpConnection connection, Exchange exchange) {
        State state = open.get(connection);
        if (state != null) {
            state.exchanges.add(exchange);
        }
    }

    void finished(HttpConnection connection, Exchange exchange) {
        State state = open.get(connection);
        if (state != null) {
            state.exchanges.remove(exchange);
            state.quietSince = System.nanoTime();
        }
    }

    boolean draining() {
        return drained != null;
    }

    void sweep(long now) {
        long allowed = draining() ? PARTING_NANOS : idleNanos;
        for (Map.Entry<HttpConnection, State> entry : List.copyOf(open.entrySet())) {
            State state = entry.getValue();
            List.copyOf(state.exchanges).forEach(exchange -> exchange.expire(now));
            if (state.exchanges.isEmpty() && now - state.quietSince > allowed) {
                entry.getKey().close();
            }
        }
        complete();
    }

    /**
     * From now on each connection closes after its answer, and clients of HTTP/2 are told to begin nothing more.
     *
     * @return completes when none is left
     */
    Future<Void> drain() {
        Promise<Void> promise = Promise.promise();
        drained = promise;
        List.copyOf(open.entrySet()).stream()
                .filter(entry -> entry.getValue().multiplexed())
                .forEach(entry -> entry.getKey().shutdown());
        complete();
        return promise.future();
    }

    private void closed(HttpConnection connection) {
        State state = open.remove(connection);
        if (state != null) {
            state.exchanges.forEach(Exchange::cut);
        }
        complete();
    }

    private void complete() {
        Promise<Void> promise = drained;
        if (promise != null && open.isEmpty()) {
            promise.tryComplete();
        }
    }
}
