package io.busbar.sandbox.controller;

import io.busbar.common.ObjectKey;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.loop.KeyedLoop;
import io.busbar.sandbox.status.StatusException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does a controller's work by key: once for however many changes came at a time, and again, ever later, when it failed.
 *
 * <p>One context.
 */
public final class SyncLoop {

    private static final Logger log = LoggerFactory.getLogger(SyncLoop.class);
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final int MOST_DOUBLINGS = 8;

    private final String controller;
    private final Function<ObjectKey, Future<@Nullable Duration>> work;
    private final KeyedLoop<ObjectKey> loop;
    private final Context context;
    private final Set<ObjectKey> waiting = new LinkedHashSet<>();
    private final Map<ObjectKey, Integer> failures = new HashMap<>();

    /**
     * @param clock by which waits are measured
     * @param controller for the log
     * @param work completes with the time after which to look again, or null
     */
    public SyncLoop(
            Vertx vertx, ClusterClock clock, String controller, Function<ObjectKey, Future<@Nullable Duration>> work) {
        this.controller = controller;
        this.work = work;
        this.loop = new KeyedLoop<>(vertx, clock, this::attempt);
        this.context = vertx.getOrCreateContext();
    }

    /** Does the work of a key when the changes that are being told now have all been told. */
    public void soon(ObjectKey key) {
        if (waiting.isEmpty()) {
            context.runOnContext(turn -> drain());
        }
        waiting.add(key);
    }

    /** Begins nothing any more; what is under way ends. */
    public void stop() {
        loop.stop();
    }

    private void drain() {
        List<ObjectKey> keys = List.copyOf(waiting);
        waiting.clear();
        keys.forEach(loop::now);
    }

    private Future<@Nullable Duration> attempt(ObjectKey key) {
        Future<@Nullable Duration> done;
        try {
            done = work.apply(key);
        } catch (RuntimeException e) {
            done = Future.failedFuture(e);
        }
        return done.onSuccess(again -> failures.remove(key)).recover(e -> Future.succeededFuture(failed(key, e)));
    }

    /** When to try again; null for never: a namespace that ends takes nothing new, and this may have been stopped. */
    private @Nullable Duration failed(ObjectKey key, Throwable failure) {
        if (loop.isStopped()) {
            return null;
        }
        if (failure instanceof StatusException refused
                && (refused.code() == 404 || refused.body().toString().contains("NamespaceTerminating"))) {
            failures.remove(key);
            return null;
        }
        int times = failures.merge(key, 1, Integer::sum);
        log.atWarn()
                .setCause(failure)
                .addKeyValue("controller", controller)
                .addKeyValue("namespace", key.namespace())
                .addKeyValue("name", key.name())
                .log("could not bring an object to its state, will retry");
        return FIRST_RETRY.multipliedBy(1L << Math.min(times - 1, MOST_DOUBLINGS));
    }
}
