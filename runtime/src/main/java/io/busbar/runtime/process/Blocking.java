package io.busbar.runtime.process;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Waits for futures. For plain threads, never for those of Vert.x. */
public final class Blocking {

    private Blocking() {}

    /**
     * @throws Exception as the future failed
     */
    public static <T> T await(Future<T> future) throws Exception {
        return await(future, Duration.ofNanos(Long.MAX_VALUE));
    }

    /**
     * @throws Exception as the future failed, or {@link java.util.concurrent.TimeoutException}
     */
    public static <T> T await(Future<T> future, Duration patience) throws Exception {
        try {
            return future.toCompletionStage().toCompletableFuture().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }
}
