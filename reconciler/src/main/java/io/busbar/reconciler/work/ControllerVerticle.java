package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.Thrown;
import io.busbar.reconciler.queue.WorkQueue;
import io.busbar.reconciler.queue.WorkQueue.Taken;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in requests, and hands keys to idle workers.
 *
 * <p>Requests are taken in from its deployment on, and its consumer never pauses; nothing is handed out before
 * {@link #begin()} or after {@link #drain()}. Each task goes to the address of a worker that is idle, so none waits
 * behind a busy one.
 *
 * <p>An event-loop verticle; {@link #begin()}, {@link #release}, {@link #drain()} and {@link #request} from any thread.
 */
final class ControllerVerticle extends VerticleBase {

    private static final Logger log = LoggerFactory.getLogger(ControllerVerticle.class);
    /** The workers' deadlines limit a reconcile; a reply that took the bus's own 30 s would look like a lost worker. */
    private static final DeliveryOptions PATIENT = new DeliveryOptions()
            .setLocalOnly(true)
            .setSendTimeout(Duration.ofDays(3650).toMillis());

    /** When a key is due whose delay could not be told. */
    private static final Duration AFTER_PANIC = Duration.ofSeconds(30);

    private final String name;
    private final String address;
    private final WorkQueue queue;
    private final QueueTrace trace;
    private final Activity activity;
    private final BiConsumer<ObjectKey, String> requested;
    private final Predicate<ObjectKey> elsewhere;
    private final Guard guard;
    private final Deque<String> idle;
    /** Of each key that waits, the latest. */
    private final Map<ObjectKey, Cause> causes = new HashMap<>();

    /** Of each cluster that is not listed yet, the requests that wait for that. */
    private final Map<String, Map<ObjectKey, ReconcileRequest>> held = new HashMap<>();

    /** Which keys wait, whatever their cluster: those of namespaces that come or go. Null for none. */
    private @Nullable Predicate<ObjectKey> shut;

    private final Map<ObjectKey, ReconcileRequest> shutOut = new LinkedHashMap<>();
    private final Set<ObjectKey> keysOut = new HashSet<>();
    private Promise<Void> left = Promise.promise();

    private final Promise<Void> drained = Promise.promise();
    private int out;
    private boolean handsOut;
    private boolean drains;
    private long timer = -1;
    private long timerDue;

    /**
     * @param address where requests for it are sent
     * @param workers their addresses; they are deployed
     * @param held clusters whose keys wait for {@link #release}
     * @param elsewhere keys that another replica works on: they are dropped, and asked for again should they become
     *     this one's; not asked before {@link #begin}
     * @param requested told of each request: of which primary, and because of which version
     */
    ControllerVerticle(
            String name,
            String address,
            WorkQueue queue,
            QueueTrace trace,
            Activity activity,
            Collection<String> workers,
            BiConsumer<ObjectKey, String> requested,
            Collection<String> held,
            Predicate<ObjectKey> elsewhere,
            Guard guard) {
        this.name = name;
        this.address = address;
        this.queue = queue;
        this.trace = trace;
        this.activity = activity;
        this.requested = requested;
        this.elsewhere = elsewhere;
        this.guard = guard;
        this.idle = new ArrayDeque<>(workers);
        held.forEach(cluster -> this.held.put(cluster, new LinkedHashMap<>()));
    }

    @Override
    public Future<?> start() {
        return vertx.eventBus()
                .<ReconcileRequest>localConsumer(address, message -> add(message.body()))
                .completion();
    }

    private void add(ReconcileRequest request) {
        Map<ObjectKey, ReconcileRequest> waiting =
                held.isEmpty() ? null : held.get(request.key().cluster());
        if (waiting != null) {
            waiting.put(request.key(), request);
            return;
        }
        if (shut != null && shut.test(request.key())) {
            shutOut.put(request.key(), request);
            return;
        }
        if (handsOut && elsewhere.test(request.key())) {
            return;
        }
        queue.add(request.key(), request.reason());
        causes.put(request.key(), request.cause());
        guard.run(() -> trace.requested(request));
        requested.accept(request.key(), request.cause().resourceVersion());
        handOut();
    }

    /** Has something look at what waits and what was done, on this verticle's context. Any thread. */
    <T> Future<T> look(BiFunction<WorkQueue, Activity, T> look) {
        if (context == null) {
            return Future.failedFuture("not deployed yet");
        }
        Promise<T> seen = Promise.promise();
        context.runOnContext(now -> {
            try {
                seen.complete(look.apply(queue, activity));
            } catch (RuntimeException failed) {
                seen.fail(failed);
            }
        });
        return seen.future();
    }

    /** Adds a key without the bus. */
    void request(ObjectKey key, Reason reason) {
        request(new ReconcileRequest(key, reason));
    }

    void request(ReconcileRequest request) {
        context.runOnContext(now -> add(request));
    }

    void begin() {
        context.runOnContext(now -> {
            handsOut = !drains;
            handOut();
        });
    }

    /** What is watched in a cluster is there: its keys need not wait any more. */
    void release(String cluster) {
        context.runOnContext(now -> {
            Map<ObjectKey, ReconcileRequest> waiting = held.remove(cluster);
            if (waiting != null) {
                waiting.values().forEach(this::add);
            }
        });
    }

    /**
     * Hands out none of some keys, in place of those of the last call.
     *
     * @return completes when none of them is out
     */
    Future<Void> shut(Predicate<ObjectKey> some) {
        Promise<Void> none = Promise.promise();
        context.runOnContext(now -> {
            List<ReconcileRequest> before = List.copyOf(shutOut.values());
            shutOut.clear();
            shut = some;
            before.forEach(this::add);
            left.tryFail("replaced");
            left = none;
            completeIfLeft();
        });
        return none.future();
    }

    /**
     * Hands out all keys again.
     *
     * @param gone those that nobody is to hear of any more
     */
    void open(Predicate<ObjectKey> gone) {
        context.runOnContext(now -> {
            shut = null;
            queue.dropDelayed(gone);
            List<ReconcileRequest> before = List.copyOf(shutOut.values());
            shutOut.clear();
            before.stream().filter(request -> !gone.test(request.key())).forEach(this::add);
        });
    }

    private void completeIfLeft() {
        if (shut != null && keysOut.stream().noneMatch(shut)) {
            left.tryComplete();
        }
    }

    /** Hands out nothing more; completes when all workers are idle. */
    Future<Void> drain() {
        context.runOnContext(now -> {
            handsOut = false;
            drains = true;
            completeIfDrained();
        });
        return drained.future();
    }

    private void completeIfDrained() {
        if (drains && out == 0) {
            drained.tryComplete();
        }
    }

    private void handOut() {
        while (handsOut && !idle.isEmpty()) {
            Taken taken = queue.take();
            if (taken == null) {
                setTimer();
                return;
            }
            if (shut != null && shut.test(taken.key())) {
                Cause known = causes.remove(taken.key());
                Cause cause = known == null ? Cause.of(Cause.How.UNKNOWN, taken.key()) : known;
                shutOut.put(taken.key(), new ReconcileRequest(taken.key(), taken.reason(), "", cause));
                queue.done(taken.key());
            } else if (elsewhere.test(taken.key())) {
                causes.remove(taken.key());
                queue.forget(taken.key());
                queue.done(taken.key());
            } else {
                send(taken, idle.remove());
            }
        }
    }

    private void send(Taken taken, String worker) {
        out++;
        keysOut.add(taken.key());
        String parent = guard.call(() -> trace.taken(taken), thrown -> "");
        Cause known = causes.remove(taken.key());
        Cause cause = known == null ? Cause.of(Cause.How.UNKNOWN, taken.key()) : known;
        ReconcileTask task =
                new ReconcileTask(taken.key(), UUID.randomUUID().toString(), taken.attempt(), cause, parent);
        guard.run(() -> activity.begun(task, taken.waited()));
        Future<Message<ReconcileOutcome>> asked =
                guard.call(() -> vertx.eventBus().request(worker, task, PATIENT), Future::failedFuture);
        asked.onComplete(reply -> {
            out--;
            keysOut.remove(task.key());
            idle.add(worker);
            settle(task, reply.succeeded() ? reply.result().body() : lost(task, reply.cause()));
            guard.run(this::handOut);
            completeIfLeft();
            completeIfDrained();
        });
    }

    private ReconcileOutcome lost(ReconcileTask task, Throwable cause) {
        log.atError()
                .addKeyValue("controller", name)
                .addKeyValue("namespace", task.key().namespace())
                .addKeyValue("name", task.key().name())
                .addKeyValue("reconcileID", task.reconcileId())
                .addKeyValue("error", Thrown.text(cause))
                .log("no outcome from the worker");
        return ReconcileOutcome.failed(Thrown.text(cause));
    }

    /** The key comes back whatever is thrown: it would never be handed out again. */
    private void settle(ReconcileTask task, ReconcileOutcome outcome) {
        ObjectKey key = task.key();
        Duration delay = guard.call(() -> later(key, outcome), thrown -> {
            queue.addAfter(key, Reason.CHANGE, AFTER_PANIC);
            return AFTER_PANIC;
        });
        switch (outcome.kind()) {
            case FAILED, CONFLICT -> causes.putIfAbsent(key, task.cause().again());
            case REQUEUE, REQUEUE_AFTER -> causes.putIfAbsent(key, Cause.of(Cause.How.REQUEUE, key));
            case AWAIT_CHANGE, TERMINALLY_FAILED -> {}
        }
        guard.run(() -> trace.settled(key, outcome.kind(), delay));
        guard.run(() -> activity.ended(task, outcome, delay));
        queue.done(key);
    }

    /** Lets the queue know what is to follow, and tells how long that has to wait. */
    private Duration later(ObjectKey key, ReconcileOutcome outcome) {
        return switch (outcome.kind()) {
            case FAILED -> queue.retry(key, true);
            case REQUEUE -> queue.retry(key, false);
            case CONFLICT -> {
                queue.addAfter(key, Reason.CHANGE, outcome.delay());
                yield outcome.delay();
            }
            case AWAIT_CHANGE, TERMINALLY_FAILED -> {
                queue.forget(key);
                yield Duration.ZERO;
            }
            case REQUEUE_AFTER -> {
                queue.forget(key);
                queue.addAfter(key, Reason.CHANGE, outcome.delay());
                yield outcome.delay();
            }
        };
    }

    /** One timer, for the key that is due first. */
    private void setTimer() {
        OptionalLong untilDue = queue.untilDue();
        if (untilDue.isEmpty()) {
            return;
        }
        long due = System.nanoTime() + untilDue.getAsLong();
        if (timer >= 0 && timerDue - due <= 0) {
            return;
        }
        if (timer >= 0) {
            vertx.cancelTimer(timer);
        }
        timerDue = due;
        timer = vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(untilDue.getAsLong()) + 1, fired -> {
            timer = -1;
            guard.run(this::handOut);
        });
    }
}
