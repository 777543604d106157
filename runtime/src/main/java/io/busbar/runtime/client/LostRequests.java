package io.busbar.runtime.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Finds requests that the JDK's client has forgotten: when a connection is closed, it fails all that is under way on
 * it, but now and then one is left that was just being put there, and never ends (seen with Java 17 under
 * {@code --goaway-chance}, in one of some forty closed connections). What was sent before a connection was closed, and
 * has had no answer a second after that, is failed here.
 *
 * <p>There may be other connections, on which somebody waits for a slow answer: that, too, is failed. So this is only
 * done to what may be sent again.
 *
 * <p>Any thread.
 */
final class LostRequests {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ScheduledExecutorService threads;
    private final Set<Waiting<?>> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile long closedAt;

    LostRequests(ScheduledExecutorService threads) {
        this.threads = threads;
    }

    private record Waiting<T>(CompletableFuture<T> answer, BooleanSupplier mayFail, long begun) {

        void giveUp() {
            if (mayFail.getAsBoolean()) {
                answer.completeExceptionally(new IOException("no answer, and a connection was closed meanwhile"));
            }
        }
    }

    /**
     * Keeps an eye on an answer.
     *
     * @param mayFail asked only when it is to fail
     * @param late takes what comes after all
     * @return the same, or its failure
     */
    <T> CompletableFuture<T> watched(CompletableFuture<T> answer, BooleanSupplier mayFail, Consumer<T> late) {
        Waiting<T> one = new Waiting<>(new CompletableFuture<>(), mayFail, System.nanoTime());
        waiting.add(one);
        CompletableFuture<?> unused = answer.whenComplete((response, failure) -> {
            waiting.remove(one);
            if (response == null) {
                one.answer.completeExceptionally(failure);
            } else if (!one.answer.complete(response)) {
                late.accept(response);
            }
        });
        return one.answer;
    }

    /** A request has failed since its connection was closed. */
    void connectionClosed() {
        closedAt = System.nanoTime();
        if (looking.compareAndSet(false, true)) {
            lookLater(closedAt);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Nobody ends a look.
    private void lookLater(long closed) {
        try {
            threads.schedule(() -> look(closed), PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException clientClosed) {
            looking.set(false);
        }
    }

    private void look(long closed) {
        looking.set(false);
        waiting.stream().filter(one -> one.begun - closed < 0).forEach(Waiting::giveUp);
        if (closedAt - closed > 0 && looking.compareAndSet(false, true)) {
            lookLater(closedAt);
        }
    }
}
