package io.busbar.sandbox.loop;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of one key at a time, and again when something happened meanwhile, when it failed, or when time has come.
 *
 * <p>One context.
 */
public final class KeyedLoop<K> {

    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

    private final Vertx vertx;
    private final Function<K, Future<@Nullable Duration>> work;
    /** A key is under way when it is in here, and waits for one more turn when its value is true. */
    private final Map<K, Boolean> underWay = new HashMap<>();

    private final Map<K, Long> timers = new HashMap<>();
    private boolean stopped;

    /** @param work completes with the time after which to look again, or null */
    public KeyedLoop(Vertx vertx, Function<K, Future<@Nullable Duration>> work) {
        this.vertx = vertx;
        this.work = work;
    }

    /** Does the work of a key now, or once more when it is under way. Nothing after {@link #stop}. */
    public void now(K key) {
        if (stopped) {
            return;
        }
        if (underWay.containsKey(key)) {
            underWay.put(key, true);
            return;
        }
        underWay.put(key, false);
        work.apply(key).onComplete(done -> {
            boolean again = Boolean.TRUE.equals(underWay.remove(key));
            Duration wait = done.succeeded() ? done.result() : AFTER_FAILURE;
            if (again) {
                now(key);
            } else if (wait != null) {
                later(key, wait);
            }
        });
    }

    private void later(K key, Duration wait) {
        forget(key);
        if (!stopped) {
            timers.put(key, vertx.setTimer(Math.max(1, wait.toMillis()), id -> {
                timers.remove(key);
                now(key);
            }));
        }
    }

    /** Cancels what waits for its time. */
    public void forget(K key) {
        Long timer = timers.remove(key);
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
    }

    /** Begins nothing any more; what is under way ends. */
    public void stop() {
        stopped = true;
        Set<K> waiting = new HashSet<>(timers.keySet());
        waiting.forEach(this::forget);
    }
}
