package io.busbar.watcher.reflect;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.Thrown;
import io.busbar.common.traffic.RetryAfter;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.reflect.Ending.How;
import io.busbar.watcher.wire.Gunzip;
import io.busbar.watcher.wire.RawObject;
import io.busbar.watcher.wire.ResponseParser;
import io.busbar.watcher.wire.Signal;
import io.busbar.watcher.wire.UnreadableResponseException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.vertx.core.Context;
import io.vertx.core.WorkerExecutor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, brought from the HTTP client's threads to a context.
 *
 * <p>It is sent from a thread that may be blocked: what a client does before it sends, such as to run a program for a
 * token, may take long. Bytes are parsed, and objects prepared, where they arrive. While the context has
 * {@value #MAX_WAITING} chunks of them before it, no more are asked for, so that a slow context slows the server down
 * and nothing piles up. Whatever is thrown, by the parser, by what prepares, or by the listener, ends this as
 * {@link How#LOST}. Created, cancelled and listened to on the context.
 */
final class Exchange<E> {

    /** Told on the context; nothing after {@link #ended}, nor after {@link Exchange#cancel}. */
    interface Listener<E> {

        /** The server has said yes. */
        void opened();

        void arrived(List<Arrival<E>> arrivals);

        /**
         * The last call.
         *
         * @param failure null where the response came to its end in good order
         * @param pause how long the server asks to be left alone; zero where it does not
         */
        void ended(How how, @Nullable ApiFailure failure, Duration pause);
    }

    private static final int MAX_WAITING = 4;

    /** Chunks that the context has not dealt with. */
    private final AtomicInteger waiting = new AtomicInteger();

    private final ErrorBody errorBody = new ErrorBody();
    private final Guard guard;

    /**
     * Null once this has ended or was cancelled. The JDK's client keeps a response of an HTTP/2 connection reachable
     * for as long as the connection lives; it must not keep a store with it.
     */
    private volatile @Nullable Reader<E> reader;

    private volatile boolean refused;

    /** Null where the response comes as it is. */
    private volatile @Nullable Gunzip gunzip;

    private @Nullable AsyncBody body;

    /**
     * @param owners as in {@link ResponseParser}
     * @param prepare makes objects ready where they arrive, if they are kept; must not block
     */
    Exchange(
            Context context,
            WatchSpec<?> spec,
            @Nullable Predicate<String> owners,
            Function<RawObject, E> prepare,
            Guard guard,
            Listener<E> listener) {
        this.guard = guard;
        this.reader = new Reader<>(context, spec, owners, prepare, listener);
    }

    /** @param threads that may be blocked */
    void send(WorkerExecutor threads, HttpClient http, HttpRequest request) {
        threads.executeBlocking(
                        () -> {
                            if (reader != null) {
                                consume(http, request);
                            }
                            return null;
                        },
                        false)
                .onFailure(this::noAnswer);
    }

    void cancel() {
        reader = null;
        if (body != null) {
            body.cancel();
        }
    }

    private void consume(HttpClient http, HttpRequest request) {
        CompletableFuture<?> unused = http.consumeBytes(request, this::received).whenComplete((response, failure) -> {
            if (response == null) {
                noAnswer(failure);
            } else {
                // It may be cancelled at any moment until the context hears of the answer.
                onContext(open -> answered(open, response), response.body()::cancel);
            }
        });
    }

    /** Such as by a client that was closed. */
    private void noAnswer(Throwable failure) {
        onContext(still ->
                end(ErrorBody.isCut(failure) ? How.CUT : How.FAILED, ErrorBody.failure(failure), Duration.ZERO));
    }

    private void answered(Reader<E> open, HttpResponse<AsyncBody> response) {
        body = response.body();
        refused = !response.isSuccessful();
        gunzip = "gzip".equalsIgnoreCase(response.header("Content-Encoding")) ? new Gunzip() : null;
        CompletableFuture<?> unused = response.body()
                .done()
                .whenComplete((nothing, failure) -> onContext(still -> finished(response, failure)));
        if (!refused) {
            open.listener.opened();
        }
        response.body().consume();
    }

    /** On one of the HTTP client's threads, one call after another. */
    private void received(List<ByteBuffer> arrived, AsyncBody source) throws UnreadableResponseException {
        try {
            read(arrived, source);
        } catch (UnreadableResponseException unreadable) {
            throw unreadable; // tells whoever waits for the body's end
        } catch (Throwable thrown) {
            guard.caught(thrown, Map.of());
            onContext(still -> broken(thrown));
        }
    }

    private void read(List<ByteBuffer> arrived, AsyncBody source) throws UnreadableResponseException {
        Reader<E> open = reader;
        Gunzip packed = gunzip;
        List<ByteBuffer> buffers = packed == null ? arrived : packed.unpack(arrived);
        if (refused) {
            buffers.forEach(errorBody::add);
            source.consume();
        } else if (open != null) {
            try {
                open.read(buffers);
            } finally {
                hand(open.taken(), source);
            }
        }
    }

    private void hand(List<Arrival<E>> arrivals, AsyncBody source) {
        boolean room = waiting.incrementAndGet() < MAX_WAITING;
        onContext(open -> {
            open.listener.arrived(arrivals);
            if (waiting.getAndDecrement() == MAX_WAITING) {
                source.consume();
            }
        });
        if (room) {
            source.consume();
        }
    }

    /** Runs an action on the context, unless all is over by then. */
    private void onContext(Consumer<Reader<E>> action) {
        onContext(action, () -> {});
    }

    /** @param over done in its place when all is over; on any thread */
    private void onContext(Consumer<Reader<E>> action, Runnable over) {
        Reader<E> open = reader;
        if (open == null) {
            over.run();
            return;
        }
        open.context.runOnContext(v -> {
            if (reader == null) {
                over.run();
                return;
            }
            guard.call(
                    () -> {
                        action.accept(open);
                        return true;
                    },
                    thrown -> guard.run(() -> broken(thrown)));
        });
    }

    private void broken(Throwable thrown) {
        if (body != null) {
            body.cancel();
        }
        end(
                How.LOST,
                new ApiFailure.Unavailable(0, "what was read could not be dealt with: " + Thrown.text(thrown)),
                Duration.ZERO);
    }

    private void finished(HttpResponse<AsyncBody> response, @Nullable Throwable failure) {
        if (refused) {
            Duration pause = RetryAfter.of(response.code(), response.header("Retry-After"), Instant.now())
                    .orElse(Duration.ZERO);
            end(How.FAILED, ApiFailure.of(response.code(), errorBody.message()), pause);
        } else if (failure == null) {
            end(How.COMPLETE, null, Duration.ZERO);
        } else {
            ApiFailure why = ErrorBody.failure(failure);
            end(why instanceof ApiFailure.Gone ? How.LOST : How.CUT, why, Duration.ZERO);
        }
    }

    private void end(How how, @Nullable ApiFailure failure, Duration pause) {
        Reader<E> open = reader;
        if (open != null) {
            reader = null;
            open.listener.ended(how, failure, pause);
        }
    }

    /** What turns bytes into arrivals; used by one thread at a time. */
    private static final class Reader<E> {

        private final Context context;
        private final Function<RawObject, E> prepare;
        private final Listener<E> listener;
        private final ResponseParser parser;
        private List<Arrival<E>> arrivals = new ArrayList<>();

        Reader(
                Context context,
                WatchSpec<?> spec,
                @Nullable Predicate<String> owners,
                Function<RawObject, E> prepare,
                Listener<E> listener) {
            this.context = context;
            this.prepare = prepare;
            this.listener = listener;
            this.parser =
                    new ResponseParser(spec, owners, signal -> arrivals.add(new Arrival<>(signal, prepared(signal))));
        }

        void read(List<ByteBuffer> buffers) throws UnreadableResponseException {
            for (ByteBuffer buffer : buffers) {
                parser.feed(buffer);
            }
        }

        List<Arrival<E>> taken() {
            List<Arrival<E>> taken = arrivals;
            arrivals = new ArrayList<>();
            return taken;
        }

        private @Nullable E prepared(Signal signal) {
            if (signal instanceof Signal.Listed listed) {
                return prepared(listed.object());
            } else if (signal instanceof Signal.Changed changed) {
                return prepared(changed.object());
            } else if (signal instanceof Signal.Deleted deleted) {
                return prepared(deleted.object());
            }
            return null;
        }

        private @Nullable E prepared(RawObject raw) {
            return raw.isAnothers() ? null : prepare.apply(raw);
        }
    }
}
