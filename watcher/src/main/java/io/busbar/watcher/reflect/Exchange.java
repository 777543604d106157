package io.busbar.watcher.reflect;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.watch.WatchSpec;
import io.busbar.watcher.wire.Gunzip;
import io.busbar.watcher.wire.ResponseParser;
import io.busbar.watcher.wire.Signal;
import io.busbar.watcher.wire.UnreadableResponseException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.vertx.core.Context;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, brought from the HTTP client's threads to a context.
 *
 * <p>Bytes are parsed, and objects prepared, where they arrive. While the context has {@value #MAX_WAITING} chunks of them
 * before it, no more are asked for, so that a slow context slows the server down and nothing piles up. Created, cancelled and listened to on the context.
 */
final class Exchange<E> {

    /** Told on the context; nothing after {@link #ended}, nor after {@link Exchange#cancel}. */
    interface Listener<E> {

        /** The server has said yes. */
        void opened();

        void arrived(List<Arrival<E>> arrivals);

        /** The last call. Null when the response came to its end in good order. */
        void ended(@Nullable ApiFailure failure);
    }

    private static final int MAX_WAITING = 4;

    /** Chunks that the context has not dealt with. */
    private final AtomicInteger waiting = new AtomicInteger();

    private final ErrorBody errorBody = new ErrorBody();

    /**
     * Null once this has ended or was cancelled. The JDK's client keeps a response of an HTTP/2 connection reachable for as long
     * as the connection lives; it must not keep a store with it.
     */
    private volatile @Nullable Reader<E> reader;

    private volatile boolean refused;

    /** Null where the response comes as it is. */
    private volatile @Nullable Gunzip gunzip;

    private @Nullable AsyncBody body;

    Exchange(Context context, WatchSpec<?> spec, Sink<E> sink, Listener<E> listener) {
        this.reader = new Reader<>(context, spec, sink, listener);
    }

    void send(HttpClient http, HttpRequest request) {
        CompletableFuture<?> unused = consume(http, request).whenComplete((response, failure) -> {
            Reader<E> open = reader;
            if (response == null) {
                onContext(still -> end(ApiFailure.noAnswer(failure)));
            } else if (open == null) {
                response.body().cancel();
            } else {
                open.context.runOnContext(v -> answered(response));
            }
        });
    }

    void cancel() {
        reader = null;
        if (body != null) {
            body.cancel();
        }
    }

    private CompletableFuture<HttpResponse<AsyncBody>> consume(HttpClient http, HttpRequest request) {
        try {
            return http.consumeBytes(request, this::received);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e); // such as a client that was closed
        }
    }

    private void answered(HttpResponse<AsyncBody> response) {
        Reader<E> open = reader;
        if (open == null) {
            response.body().cancel();
            return;
        }
        body = response.body();
        refused = !response.isSuccessful();
        gunzip = "gzip".equalsIgnoreCase(response.header("Content-Encoding")) ? new Gunzip() : null;
        CompletableFuture<?> unused = response.body()
                .done()
                .whenComplete((nothing, failure) -> onContext(still -> finished(response.code(), failure)));
        if (!refused) {
            open.listener.opened();
        }
        response.body().consume();
    }

    /** On one of the HTTP client's threads, one call after another. */
    private void received(List<ByteBuffer> arrived, AsyncBody source) throws UnreadableResponseException {
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
        Reader<E> open = reader;
        if (open != null) {
            open.context.runOnContext(v -> {
                if (reader != null) {
                    action.accept(open);
                }
            });
        }
    }

    private void finished(int code, @Nullable Throwable failure) {
        if (refused) {
            end(ApiFailure.of(code, errorBody.message()));
        } else {
            end(failure == null ? null : ErrorBody.failure(failure));
        }
    }

    private void end(@Nullable ApiFailure failure) {
        Reader<E> open = reader;
        if (open != null) {
            reader = null;
            open.listener.ended(failure);
        }
    }

    /** What turns bytes into arrivals; used by one thread at a time. */
    private static final class Reader<E> {

        private final Context context;
        private final Sink<E> sink;
        private final Listener<E> listener;
        private final ResponseParser parser;
        private List<Arrival<E>> arrivals = new ArrayList<>();

        Reader(Context context, WatchSpec<?> spec, Sink<E> sink, Listener<E> listener) {
            this.context = context;
            this.sink = sink;
            this.listener = listener;
            this.parser = new ResponseParser(spec, signal -> arrivals.add(new Arrival<>(signal, prepared(signal))));
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
                return sink.prepare(listed.object());
            } else if (signal instanceof Signal.Changed changed) {
                return sink.prepare(changed.object());
            } else if (signal instanceof Signal.Deleted deleted) {
                return sink.prepare(deleted.object());
            }
            return null;
        }
    }
}
