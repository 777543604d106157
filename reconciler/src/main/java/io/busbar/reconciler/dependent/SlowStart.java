package io.busbar.reconciler.dependent;

import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.MDC;

/**
 * Makes the same request many times in batches that double, so that one which is refused every time is made once, not a
 * thousand times.
 *
 * <p>For the thread of one reconcile, which waits. Source: kube-controller-manager's slowStartBatch.
 */
public final class SlowStart {

    private static final int AT_ONCE = 16;

    private SlowStart() {}

    /**
     * @param request is called on other threads, several at once; of {@link io.busbar.reconciler.ReconcileContext},
     *     only {@code create} and {@code delete} may be called there
     * @return what the requests gave, in no order
     * @throws RuntimeException the first failure of a batch, once the whole batch has ended; the batches after it are
     *     not begun
     * @throws InterruptedException when the reconcile's time is up; requests that were under way may have been served
     */
    public static <T> List<T> repeat(int times, Callable<T> request) throws InterruptedException {
        List<T> results = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, Math.min(AT_ONCE, times / 2)));
        try {
            for (int batch = 1; results.size() < times; batch *= 2) {
                int size = Math.min(batch, times - results.size());
                results.addAll(size == 1 ? List.of(call(request)) : together(threads, size, request));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Makes a request for each of some objects, the first ones first.
     *
     * @param request as with {@link #repeat}
     */
    public static <T> void each(Collection<T> objects, Consumer<? super T> request) throws InterruptedException {
        Queue<T> waiting = new ConcurrentLinkedQueue<>(objects);
        repeat(objects.size(), () -> {
            T next = waiting.remove();
            request.accept(next);
            return next;
        });
    }

    private static <T> List<T> together(ExecutorService threads, int size, Callable<T> request)
            throws InterruptedException {
        Map<String, String> logKeys = Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of());
        Callable<T> likeHere = Context.current().wrap(() -> {
            MDC.setContextMap(logKeys);
            return request.call();
        });
        List<Callable<T>> batch = Collections.nCopies(size, likeHere);
        List<T> results = new ArrayList<>();
        RuntimeException first = null;
        for (Future<T> ended : threads.invokeAll(batch)) {
            try {
                results.add(ended.get());
            } catch (ExecutionException failed) {
                first = first == null ? unchecked(Objects.requireNonNull(failed.getCause())) : first;
            }
        }
        if (first != null) {
            throw first;
        }
        return results;
    }

    private static <T> T call(Callable<T> request) throws InterruptedException {
        try {
            return request.call();
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception failed) {
            throw unchecked(failed);
        }
    }

    private static RuntimeException unchecked(Throwable failure) {
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }
}
