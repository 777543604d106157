package io.busbar.runtime.client;

import io.busbar.common.traffic.RequestGate;
import io.busbar.common.traffic.RetryAfter;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.vertx.core.Context;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A client of the API server that does not fail where it needs only to ask again.
 *
 * <p>A request is sent again
 *
 * <ul>
 *   <li>when its connection was closed before the answer was whole, and it is {@link RepeatedRequest#isSafe safe}. API
 *       servers that spread their clients over replicas close connections at random ({@code --goaway-chance}), in good
 *       order: what has been begun is to be ended. The JDK's client gives up all that is under way then, before Java 24
 *       (JDK-8335181), and does not tell what has been begun.
 *   <li>when the server says 429, or 503 with a {@code Retry-After}: it has done nothing then.
 * </ul>
 *
 * <p>What was answered so shuts the {@link RequestGate}, and what is sent later waits: a server that has too much to do
 * is left alone by the whole operator. Requests for Leases do not wait, and are not sent again for a 429: an operator
 * must not lose its leadership by being polite, and who elects a leader asks again itself. Streams, which are what
 * {@link #consumeBytes} is for, do not wait and are not sent again here: they have a reflector that sees to that.
 *
 * <p>All interceptors see each attempt, a fence among them. They may block, as authentication does that runs a program:
 * on an event loop, and when a request is sent again, they are called on threads of this client; else on the caller's.
 *
 * <p>Any thread. {@link #sendAsync} blocks its caller while the gate is shut, other than on an event loop; an interrupt
 * ends the wait, fails the request with an {@link InterruptedIOException} and stays set.
 */
final class RepeatingClient implements HttpClient, Interceptor.RequestTags {

    /** Source: client-go. */
    private static final int MAX_REPEATS = 10;

    /** An API server ends what takes longer, other than streams, by itself (its {@code --request-timeout}). */
    static final Duration LONGEST = Duration.ofMinutes(1);

    private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /**
     * What a server answers where a name is taken: 500, too, where the object also says how a name could be generated
     * for it.
     */
    private static final Set<Integer> TAKEN =
            Set.of(HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_INTERNAL_ERROR);

    private static final String RETRY_AFTER = "Retry-After";
    private static final String LEASES = "/apis/coordination.k8s.io/";

    private final StandardHttpClient<?, ?, ?> client;
    private final Interceptor failures;
    private final RequestMetrics metrics;
    private final RequestGate gate;
    private final ScheduledExecutorService threads;
    private final LostRequests lost;
    private final Duration longest;

    /**
     * @param client what sends; must not repeat by itself; this closes it
     * @param failures is told of each attempt that ends without an answer
     * @param threads for repeats, and for what an event loop sends; this ends them when it is closed
     * @param longest how long the whole answer to one attempt may take, other than a stream's
     */
    RepeatingClient(
            StandardHttpClient<?, ?, ?> client,
            Interceptor failures,
            RequestMetrics metrics,
            RequestGate gate,
            ScheduledExecutorService threads,
            Duration longest) {
        this(client, failures, metrics, gate, threads, new LostRequests(threads), longest);
    }

    private RepeatingClient(
            StandardHttpClient<?, ?, ?> client,
            Interceptor failures,
            RequestMetrics metrics,
            RequestGate gate,
            ScheduledExecutorService threads,
            LostRequests lost,
            Duration longest) {
        this.client = client;
        this.failures = failures;
        this.metrics = metrics;
        this.gate = gate;
        this.threads = threads;
        this.lost = lost;
        this.longest = longest;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, Class<T> type) {
        Sending<T> sending = new Sending<>(request, type);
        if (Context.isOnEventLoopThread()) {
            sending.later(0, sending::begin);
        } else {
            sending.begin();
        }
        return sending.result;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It is the one that is returned, a step further.
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytes(
            HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        Supplier<CompletableFuture<HttpResponse<AsyncBody>>> send = () -> lost.watched(
                client.consumeBytes(request, consumer),
                () -> true,
                late -> late.body().cancel());
        CompletableFuture<HttpResponse<AsyncBody>> answer = Context.isOnEventLoopThread()
                ? CompletableFuture.supplyAsync(send, threads).thenCompose(Function.identity())
                : send.get();
        return answer.whenComplete((response, failure) -> {
            if (response == null) {
                noAnswer(request, unwrapped(failure));
            } else {
                askedToWait(request, response).ifPresent(gate::shutFor);
            }
        });
    }

    private void noAnswer(HttpRequest request, Throwable failure) {
        failures.afterConnectionFailure(request, failure);
        if (isCut(failure)) {
            lost.connectionClosed();
        }
    }

    @Override
    public DerivedClientBuilder newBuilder() {
        return new RepeatingClientBuilder.Derived(client.newBuilder(), this::around);
    }

    /** A client that differs in nothing but what it is around. */
    private HttpClient around(HttpClient derived) {
        return new RepeatingClient(
                (StandardHttpClient<?, ?, ?>) derived, failures, metrics, gate, threads, lost, longest);
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }

    @Override
    public HttpRequest.Builder newHttpRequestBuilder() {
        return client.newHttpRequestBuilder();
    }

    @Override
    public <V> V getTag(Class<V> type) {
        return type == RequestGate.class ? type.cast(gate) : client.getTag(type);
    }

    @Override
    public void close() {
        client.close();
        threads.shutdown();
    }

    @Override
    public boolean isClosed() {
        return client.isClosed();
    }

    private static boolean isLease(HttpRequest request) {
        return request.uri().getPath().contains(LEASES);
    }

    private static Optional<Duration> askedToWait(HttpRequest request, HttpResponse<?> response) {
        return isLease(request)
                ? Optional.empty()
                : RetryAfter.of(response.code(), response.header(RETRY_AFTER), Instant.now());
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Whether a connection that had been there was lost, rather than none made, or an answer too late. */
    private static boolean isCut(Throwable failure) {
        return failure instanceof IOException
                && !(failure instanceof ConnectException
                        || failure instanceof HttpTimeoutException
                        || failure instanceof InterruptedIOException
                        || failure instanceof SSLException);
    }

    /** One request, until it has its answer. Its steps follow each other, on whatever threads. */
    private final class Sending<T> {

        private final HttpRequest request;
        private final Class<T> type;
        private final CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
        private final AtomicInteger repeats = new AtomicInteger();
        /** Whether an attempt may have been carried out that has failed here. */
        private volatile boolean uncertain;

        Sending(HttpRequest request, Class<T> type) {
            this.request = request;
            this.type = type;
        }

        void begin() {
            try {
                if (!isLease(request)) {
                    awaitTurn();
                }
                attempt();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                InterruptedIOException failure = new InterruptedIOException("interrupted before it was sent");
                failure.initCause(interrupted);
                result.completeExceptionally(failure);
            }
        }

        private void awaitTurn() throws InterruptedException {
            long begun = System.nanoTime();
            Duration wait = gate.turn();
            if (wait.isZero()) {
                return;
            }
            for (; !wait.isZero(); wait = gate.pause()) {
                TimeUnit.NANOSECONDS.sleep(wait.toNanos());
            }
            metrics.waited(request, Duration.ofNanos(System.nanoTime() - begun));
        }

        private void attempt() {
            if (result.isDone()) {
                return; // nobody waits for it any more
            }
            // The client's own limit ends with the answer's head: a body that stops in the middle would be waited for
            // without end.
            CompletableFuture<?> unused = lost.watched(client.sendAsync(request, type), this::isSafe, this::close)
                    .orTimeout(longest.toNanos(), TimeUnit.NANOSECONDS)
                    .whenComplete(this::attempted);
        }

        private void attempted(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
            try {
                if (response != null) {
                    answered(response);
                } else {
                    failed(failure == null ? new IOException("neither an answer nor a failure") : reason(failure));
                }
            } catch (Throwable thrown) { // it is for whoever waits for the result
                result.completeExceptionally(thrown);
            }
        }

        private Throwable reason(Throwable failure) {
            Throwable cause = unwrapped(failure);
            return cause instanceof TimeoutException
                    ? new HttpTimeoutException("no whole answer within " + longest.toMillis() + " ms")
                    : cause;
        }

        private void answered(HttpResponse<T> response) {
            Optional<Duration> pause = askedToWait(request, response);
            pause.ifPresent(gate::shutFor);
            if (pause.isPresent() && mayRepeat()) {
                close(response);
                repeat(Integer.toString(response.code()), delay());
            } else if (uncertain && TAKEN.contains(response.code())) {
                lookForWhatWasCreated(response);
            } else {
                complete(response);
            }
        }

        private void failed(Throwable failure) {
            noAnswer(request, failure);
            if (isCut(failure) && mayRepeat() && isSafe()) {
                uncertain = true;
                repeat("<error>", delay());
            } else {
                result.completeExceptionally(failure);
            }
        }

        private boolean isSafe() {
            return new RepeatedRequest(request).isSafe();
        }

        private boolean mayRepeat() {
            return repeats.get() < MAX_REPEATS && !result.isDone() && !client.isClosed();
        }

        /** So that not all whose connection was closed open one each, and longer if that does not help. */
        private long delay() {
            long longest = Math.min(LONGEST_DELAY_NANOS, FIRST_DELAY_NANOS << Math.min(repeats.get(), 10));
            return ThreadLocalRandom.current().nextLong(longest);
        }

        private void repeat(String code, long delayNanos) {
            repeats.incrementAndGet();
            metrics.repeated(request, code);
            long wait = isLease(request)
                    ? delayNanos
                    : Math.max(delayNanos, gate.turn().toNanos());
            later(wait, this::attemptOnceOpen);
        }

        private void attemptOnceOpen() {
            Duration pause = isLease(request) ? Duration.ZERO : gate.pause();
            if (pause.isZero()) {
                attempt();
            } else {
                later(pause.toNanos(), this::attemptOnceOpen);
            }
        }

        /**
         * Takes a step on a thread of this client. Where that cannot be, or throws, such as by an interceptor, the
         * request has failed.
         */
        @SuppressWarnings("FutureReturnValueIgnored") // The step itself tells how it ended.
        private void later(long nanos, Runnable step) {
            try {
                threads.schedule(
                        () -> {
                            try {
                                step.run();
                            } catch (Throwable thrown) { // it is for whoever waits for the result
                                result.completeExceptionally(thrown);
                            }
                        },
                        nanos,
                        TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                result.completeExceptionally(new IOException("the client is closed", closed));
            }
        }

        /** An object of that name is there: made by an attempt whose answer was lost, or by somebody else. */
        private void lookForWhatWasCreated(HttpResponse<T> conflict) {
            RepeatedRequest repeated = new RepeatedRequest(request);
            Optional<URI> created = repeated.createdObject();
            if (created.isEmpty()) {
                complete(conflict);
                return;
            }
            HttpRequest look =
                    newHttpRequestBuilder().uri(created.get().toString()).build();
            later(0, () -> {
                CompletableFuture<?> unused = RepeatingClient.this
                        .sendAsync(look, type)
                        .whenComplete((found, failure) -> complete(isCreated(repeated, found) ? found : conflict));
            });
        }

        private boolean isCreated(RepeatedRequest repeated, @Nullable HttpResponse<T> found) {
            return found != null
                    && found.isSuccessful()
                    && found.body() instanceof byte[] body
                    && repeated.hasCreated(body);
        }

        private void complete(HttpResponse<T> response) {
            if (!result.complete(response)) {
                close(response);
            }
        }

        private void close(HttpResponse<T> response) {
            if (response.body() instanceof Closeable body) {
                try {
                    body.close();
                } catch (IOException unread) {
                    // Nobody wanted it.
                }
            }
        }
    }
}
