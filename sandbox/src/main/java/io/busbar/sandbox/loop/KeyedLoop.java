package io.busbar.sandbox.loop;

import io.busbar.sandbox.clock.ClusterClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the work of one key at a time, and again when something happened meanwhile, when it failed, or when time has
 * come.
 *
 * <p>One context.
 */
public final class KeyedLoop<K> {

    private static final Logger log = LoggerFactory.getLogger(KeyedLoop.class);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

    private final Vertx vertx;
    private final ClusterClock clock;
    private final Function<K, Future<@Nullable Duration>> work;
    /** A key is under way when it is in here, and waits for one more turn when its value is true. */
    private final Map<K, Boolean> underWay = new HashMap<>();

    /** What cancels the timer of a key. */
    private final Map<K, Runnable> timers = new HashMap<>();

    private boolean stopped;

    /**
     * @param clock by which time is waited for that work asks for; after a failure it is real time
     * @param work completes with the time after which to look again, or null
     */
    public KeyedLoop(Vertx vertx, ClusterClock clock, Function<K, Future<@Nullable Duration>> work) {
        this.vertx = vertx;
        this.clock = clock;
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
        Runnable over = clock.working();
        attempt(key).onComplete(done -> {
            boolean again = Boolean.TRUE.equals(underWay.remove(key));
            if (again) {
                now(key);
            } else if (done.failed()) {
                retry(key);
            } else if (done.result() != null) {
                later(key, done.result());
            }
            over.run();
        });
    }

    private Future<@Nullable Duration> attempt(K key) {
        try {
            return work.apply(key);
        } catch (RuntimeException e) {
            log.atError().addKeyValue("key", key).setCause(e).log("a part of the sandbox failed, will retry");
            return Future.failedFuture(e);
        }
    }

    private void later(K key, Duration wait) {
        forget(key);
        if (!stopped) {
            timers.put(key, clock.after(wait, () -> due(key)));
        }
    }

    private void retry(K key) {
        forget(key);
        if (!stopped) {
            long timer = vertx.setTimer(AFTER_FAILURE.toMillis(), id -> due(key));
            timers.put(key, () -> vertx.cancelTimer(timer));
        }
    }

    private void due(K key) {
        timers.remove(key);
        now(key);
    }

    /** Cancels what waits for its time. */
    public void forget(K key) {
        Runnable cancel = timers.remove(key);
        if (cancel != null) {
            cancel.run();
        }
    }

    /** Begins nothing any more; what is under way ends. */
    public void stop() {
        stopped = true;
        Set<K> waiting = new HashSet<>(timers.keySet());
        waiting.forEach(this::forget);
    }

    /** Whether {@link #stop} was called. */
    public boolean isStopped() {
        return stopped;
    }
}
