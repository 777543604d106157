package io.busbar.operator.mysqlcluster.observe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.MDC;

/** Does one thing to many objects at once, each on a thread of its own that may block. Any thread; it waits. */
public final class Together {

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "mysqlcluster-sql");
        thread.setDaemon(true);
        return thread;
    });

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
        List<Callable<R>> calls = new ArrayList<>();
        for (T object : objects) {
            calls.add(() -> {
                MDC.setContextMap(logKeys);
                return task.apply(object);
            });
        }
        List<R> results = new ArrayList<>();
        for (Future<R> ended : threads.invokeAll(calls)) {
            try {
                results.add(ended.get());
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof RuntimeException unchecked
                        ? unchecked
                        : new IllegalStateException(failed.getCause());
            }
        }
        return results;
    }
}
