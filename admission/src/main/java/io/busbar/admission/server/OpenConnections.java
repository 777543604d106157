package io.busbar.admission.server;

import io.busbar.common.internal.http.AnswerBuffers;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop, with the requests that each is in: one at a time, but for HTTP/2. Closes those
 * that have been quiet for long, those whose client does not read, at the end all of them, and one for each that would
 * be too many.
 *
 * <p>One context. Time is looked at when {@link #sweep} is called, not by a timer for each request. A connection is of
 * use once a request on it was answered well. Too many close first the oldest of those that were not of use, so that
 * who only connects can lock nobody out; then the one that has been quiet for longest; then the one whose request has
 * taken longest.
 */
public final class OpenConnections {

    /**
     * While draining, a connection may stay this long for the next request, after which its client knows of its end.
     */
    private static final long PARTING_NANOS = Duration.ofMillis(500).toNanos();

    /** How long the end of a connection may take: it waits for what is still to be written. */
    private static final long CLOSING_NANOS = Duration.ofSeconds(1).toNanos();

    private final ConnectionLimits limits;
    private final OfServer all;
    private final Map<HttpConnection, State> open = new HashMap<>();
    private final Set<State> strangers = new LinkedHashSet<>();
    private final Set<State> quiet = new LinkedHashSet<>();
    private final Set<State> busy = new LinkedHashSet<>();
    private @Nullable Promise<Void> drained;

    /**
     * @param all those of the server, on all of its event loops; counted here
     */
    public OpenConnections(ConnectionLimits limits, OfServer all) {
        this.limits = limits;
        this.all = all;
    }

    /** What the event loops of one server have in common. Thread-safe. */
    public static final class OfServer {
        private final AtomicInteger open = new AtomicInteger();
        private volatile boolean draining;

        int open() {
            return open.get();
        }

        /** Each answer that is begun from now on closes its connection, on whichever event loop. */
        void drain() {
            draining = true;
        }
    }

    private static final class State {
        private final HttpConnection connection;
        private final Set<OpenRequest> requests = new HashSet<>(2);
        private long quietSince = System.nanoTime();
        private long allWrittenAt = quietSince;
        private boolean ofUse;
        private boolean closing;

        State(HttpConnection connection) {
            this.connection = connection;
        }

        boolean multiplexed() {
            return requests.stream().anyMatch(OpenRequest::multiplexed);
        }
    }

    /** To be the server's connection handler. */
    public void opened(HttpConnection connection) {
        State state = new State(connection);
        open.put(connection, state);
        strangers.add(state);
        connection.closeHandler(closed -> closed(connection));
        readInTurns(connection);
        AnswerBuffers.enlarge(connection);
        if (all.open.incrementAndGet() > limits.most()) {
            makeRoom(state);
        }
    }

    /**
     * For a server that answers soon, and wants no bodies: what it is to do with requests, within limits. A request
     * with a body is answered 413.
     */
    public Handler<HttpServerRequest> serving(Handler<HttpServerRequest> handler) {
        return request -> BodilessRequest.begin(request, this, handler);
    }

    /**
     * A request has come.
     *
     * @return false where it is not to be answered: its connection is closed, as its client has asked again and again
     *     and not read the answers, which would take any memory
     */
    boolean begin(HttpConnection connection, OpenRequest request) {
        State state = open.get(connection);
        if (state == null || state.closing) {
            return false;
        }
        if (!request.multiplexed() && !channel(connection).isWritable()) {
            state.closing = true;
            cutOff(connection);
            return false;
        }
        state.requests.add(request);
        if (state.ofUse) {
            quiet.remove(state);
            busy.add(state);
        }
        return true;
    }

    /**
     * A request has ended, and its answer is written.
     *
     * @param well whether the answer was one that its client had come for
     */
    void finished(HttpConnection connection, OpenRequest request, boolean well) {
        State state = open.get(connection);
        if (state == null || !state.requests.remove(request)) {
            return;
        }
        state.quietSince = System.nanoTime();
        if (well && !state.ofUse) {
            state.ofUse = true;
            strangers.remove(state);
        }
        if (state.ofUse) {
            (state.requests.isEmpty() ? busy : quiet).remove(state);
            (state.requests.isEmpty() ? quiet : busy).add(state);
        }
    }

    boolean draining() {
        return all.draining;
    }

    /** To be called a few times a second. */
    public void sweep() {
        sweep(System.nanoTime());
    }

    private void sweep(long now) {
        for (State state : List.copyOf(open.values())) {
            List.copyOf(state.requests).forEach(request -> request.expire(now));
            if (!allWritten(state, now)
                    && now - state.allWrittenAt > limits.unread().toNanos()) {
                cutOff(state.connection);
            } else if (state.closing) {
                if (now - state.quietSince > CLOSING_NANOS) {
                    cutOff(state.connection);
                }
            } else if (state.requests.isEmpty() && now - state.quietSince > allowedQuiet(state)) {
                state.closing = true;
                state.quietSince = now;
                state.connection.close();
            }
        }
        complete();
    }

    private static boolean allWritten(State state, long now) {
        ChannelOutboundBuffer unwritten = channel(state.connection).unsafe().outboundBuffer();
        if (unwritten == null || unwritten.totalPendingWriteBytes() == 0) {
            state.allWrittenAt = now;
            return true;
        }
        return false;
    }

    private long allowedQuiet(State state) {
        if (drained != null) {
            return PARTING_NANOS;
        }
        return (state.ofUse ? limits.idle() : limits.firstRequest()).toNanos();
    }

    /**
     * From now on each connection closes after its answer, and clients of HTTP/2 are told to begin nothing more.
     *
     * @return completes when none is left
     */
    Future<Void> drain() {
        Promise<Void> promise = Promise.promise();
        drained = promise;
        all.drain();
        long now = System.nanoTime();
        open.values().forEach(state -> state.quietSince = now);
        List.copyOf(open.values()).stream().filter(State::multiplexed).forEach(state -> state.connection.shutdown());
        complete();
        return promise.future();
    }

    /**
     * Closes a connection whatever waits to be written: of a client that does not read, the end of that can't be
     * awaited.
     */
    static void cutOff(HttpConnection connection) {
        channel(connection).unsafe().close(channel(connection).voidPromise());
    }

    /** Of 16 reads in a row, Netty's own number, 1 MB would be decrypted before the next connection has its turn. */
    @SuppressWarnings("deprecation") // what is offered instead has to be there before the connection
    private static void readInTurns(HttpConnection connection) {
        channel(connection).config().setMaxMessagesPerRead(1);
    }

    static void setReading(HttpConnection connection, boolean on) {
        channel(connection).config().setAutoRead(on);
    }

    private static Channel channel(HttpConnection connection) {
        return ((ConnectionBase) connection).channel();
    }

    private void makeRoom(State newcomer) {
        for (Set<State> candidates : List.of(strangers, quiet, busy)) {
            for (State oldest : candidates) {
                if (oldest != newcomer) {
                    // At once: it counts until it is closed, and must not be closed for the next newcomer again.
                    candidates.remove(oldest);
                    cutOff(oldest.connection);
                    return;
                }
            }
        }
    }

    private void closed(HttpConnection connection) {
        State state = open.remove(connection);
        if (state != null) {
            all.open.decrementAndGet();
            List.of(strangers, quiet, busy).forEach(states -> states.remove(state));
            state.requests.forEach(OpenRequest::cut);
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
