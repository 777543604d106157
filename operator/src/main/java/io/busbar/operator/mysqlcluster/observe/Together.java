package io.busbar.operator.mysqlcluster.observe;

import io.busbar.reconciler.leader.Permit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.slf4j.MDC;

/** Does one thing to many objects at once. Any thread; it waits. */
public final class Together {

    private final Executor threads;
    private final Permit permit;

    /**
     * @param threads that tasks are run on; each task may block
     */
    public Together(Executor threads) {
        this(threads, Permit.always());
    }

    private Together(Executor threads, Permit permit) {
        this.threads = threads;
        this.permit = permit;
    }

    /** Each task has a thread of its own. */
    public static Together onThreads() {
        return new Together(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "mysqlcluster-sql");
            thread.setDaemon(true);
            return thread;
        }));
    }

    /** The same; tasks have the permit of the thread that waits for them. */
    public Together with(Permit its) {
        return new Together(threads, its);
    }

    /** What is done to each. */
    @FunctionalInterface
    public interface Task<T, R> {
        R apply(T object) throws InterruptedException;
    }

    /**
     * @return in the order of the objects
     * @throws RuntimeException the first of the tasks'
     * @throws InterruptedException when the caller is interrupted; the tasks are, too
     */
    public <T, R> List<R> map(Collection<T> objects, Task<? super T, ? extends R> task) throws InterruptedException {
        Map<String, String> logKeys = Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of());
        List<FutureTask<R>> calls = new ArrayList<>();
        for (T object : objects) {
            calls.add(new FutureTask<>(() -> {
                MDC.setContextMap(logKeys);
                return task.apply(object);
            }));
        }
        boolean ended = false;
        try {
            calls.forEach(call -> threads.execute(permit.carried(call)));
            for (FutureTask<R> call : calls) {
                awaitEnd(call);
            }
            ended = true;
        } finally {
            if (!ended) {
                calls.forEach(call -> call.cancel(true));
            }
        }
        List<R> results = new ArrayList<>();
        for (FutureTask<R> call : calls) {
            results.add(result(call));
        }
        return results;
    }

    private static void awaitEnd(FutureTask<?> call) throws InterruptedException {
        try {
            call.get();
        } catch (ExecutionException failed) {
            // Told once all have ended.
        }
    }

    private static <R> R result(FutureTask<R> call) throws InterruptedException {
        try {
            return call.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException unchecked
                    ? unchecked
                    : new IllegalStateException(failed.getCause());
        }
    }
}
