package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.shard.Sharding;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What becomes of a primary whose turn it is:
 *
 * <ul>
 *   <li>gone: nothing
 *   <li>another replica's to work on: nothing
 *   <li>being deleted: cleanup while it has our finalizer, which then goes; without one, nothing
 *   <li>paused: nothing, and no finalizer either
 *   <li>else: the finalizer first, if the controller has one and the primary needs it, or needs it no more; then
 *       reconcile
 * </ul>
 *
 * A finalizer that the controller had formerly goes before cleanup, and before reconcile.
 *
 * <p>A write to the primary that is in conflict with somebody else's ends the turn, as
 * {@link ReconcileOutcome.Kind#CONFLICT}: no failure, and no backoff. The next turn comes with the newer primary; if
 * none has come for {@link #PATIENCE}, that is read from the API server.
 *
 * <p>Any thread, one at a time for each key.
 */
final class Reconciliation<P extends HasMetadata> {

    private static final Logger log = LoggerFactory.getLogger(Reconciliation.class);

    /** How long a newer primary is waited for before the API server is asked for it. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Controller<P> controller;
    private final Cluster<P> cluster;
    private final ReconcileMetrics metrics;
    private final Conflicts conflicts;
    private final Function<String, Cluster<P>> others;
    private final Sharding sharding;
    private final Set<ObjectKey> paused = ConcurrentHashMap.newKeySet();

    /** @param others the clusters beside the one of its primaries, by name; may throw */
    Reconciliation(
            Controller<P> controller,
            Cluster<P> cluster,
            ReconcileMetrics metrics,
            Conflicts conflicts,
            Function<String, Cluster<P>> others,
            Sharding sharding) {
        this.controller = controller;
        this.cluster = cluster;
        this.metrics = metrics;
        this.conflicts = conflicts;
        this.others = others;
        this.sharding = sharding;
    }

    ReconcileOutcome run(ReconcileTask task) throws Exception {
        Optional<P> found = primary(task.key());
        return found.isEmpty()
                ? run(task, found)
                : sharding.within(bucket(found.get()), () -> run(task, found)).orElseGet(ReconcileOutcome::awaitChange);
    }

    private int bucket(P primary) {
        return sharding.bucket(primary, controller.isSharded());
    }

    private ReconcileOutcome run(ReconcileTask task, Optional<P> found) throws Exception {
        boolean pause = found.isPresent() && !found.get().isMarkedForDeletion() && Controller.isPaused(found.get());
        if (notePause(task.key(), pause) || found.isEmpty()) {
            return ReconcileOutcome.awaitChange();
        }
        TaskContext<P> context = context(task, found.get());
        try {
            return found.get().isMarkedForDeletion() ? cleanUp(context) : reconcile(context);
        } catch (KubernetesClientException failure) {
            if (!conflicts.isOutdated(failure, task.key())) {
                throw failure;
            }
            return conflict(context.primary(), task.key());
        }
    }

    private TaskContext<P> context(ReconcileTask task, P primary) {
        return new TaskContext<>(task, primary, cluster, others, sharding.tenure(bucket(primary)));
    }

    /** Lets the reconciler say in the status what has failed. */
    void tell(ReconcileTask task, Throwable failure) throws Exception {
        Optional<P> primary = cluster.primary(task.key());
        if (primary.isEmpty()) {
            return;
        }
        Optional<Boolean> unused = sharding.within(bucket(primary.get()), () -> tell(task, primary.get(), failure));
    }

    private boolean tell(ReconcileTask task, P primary, Throwable failure) throws Exception {
        TaskContext<P> context = context(task, primary);
        try {
            controller.reconciler().failed(primary, failure, context).ifPresent(context::status);
        } catch (KubernetesClientException unwritten) {
            boolean outdated = conflicts.isOutdated(unwritten, task.key());
            log.atLevel(outdated ? Level.DEBUG : Level.WARN)
                    .addKeyValue("error", FailureReport.message(unwritten))
                    .log("could not write to the status what has failed");
        }
        return true;
    }

    /** As it is stored; as it is at this moment where that is known to be outdated. */
    private Optional<P> primary(ObjectKey key) {
        Optional<String> outdated = conflicts.take(key);
        Optional<P> stored = cluster.primary(key);
        boolean newer =
                outdated.isEmpty() || stored.isEmpty() || Conflicts.isNewer(version(stored.get()), outdated.get());
        return newer ? stored : cluster.live(stored.get());
    }

    private ReconcileOutcome conflict(P outdated, ObjectKey key) {
        log.atDebug()
                .addKeyValue("resourceVersion", version(outdated))
                .log("in conflict: again once the newer object is here");
        conflicts.await(key, version(outdated));
        // It may have come before it was waited for.
        boolean here = cluster.primary(key)
                .filter(primary -> conflicts.arrived(key, version(primary)))
                .isPresent();
        return ReconcileOutcome.conflict(here ? Duration.ZERO : PATIENCE);
    }

    private static String version(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), "");
    }

    private boolean notePause(ObjectKey key, boolean pause) {
        if (pause) {
            metrics.wasPaused();
        }
        if (pause ? paused.add(key) : paused.remove(key)) {
            log.atInfo().log(pause ? "paused by its annotation" : "paused no longer");
        }
        return pause;
    }

    private ReconcileOutcome reconcile(TaskContext<P> context) throws Exception {
        removeFormerFinalizer(context);
        controller.finalizer().ifPresent(name -> keepFinalizer(name, context));
        ReconcileResult result = controller.reconciler().reconcile(context.primary(), context);
        return outcome(Objects.requireNonNull(result, "the reconciler returned null"));
    }

    private void keepFinalizer(String name, TaskContext<P> context) {
        boolean needed = controller.needsFinalizer(context.primary());
        if (needed == has(context.primary(), name)) {
            return;
        }
        if (needed) {
            context.follow(cluster.writer().addFinalizer(context.primary(), name));
        } else {
            cluster.writer().removeFinalizer(context.primary(), name).ifPresent(context::follow);
        }
    }

    private static ReconcileOutcome outcome(ReconcileResult result) {
        if (result instanceof ReconcileResult.RequeueAfter after) {
            return ReconcileOutcome.requeueAfter(after.delay());
        }
        return result instanceof ReconcileResult.Requeue ? ReconcileOutcome.requeue() : ReconcileOutcome.awaitChange();
    }

    private void removeFormerFinalizer(TaskContext<P> context) {
        controller
                .formerFinalizer()
                .filter(name -> has(context.primary(), name))
                .flatMap(name -> cluster.writer().removeFinalizer(context.primary(), name))
                .ifPresent(context::follow);
    }

    private ReconcileOutcome cleanUp(TaskContext<P> context) throws Exception {
        removeFormerFinalizer(context);
        Optional<String> finalizer = controller.finalizer().filter(name -> has(context.primary(), name));
        if (finalizer.isEmpty()) {
            return ReconcileOutcome.awaitChange();
        }
        CleanupResult result = controller.reconciler().cleanup(context.primary(), context);
        if (Objects.requireNonNull(result, "the cleanup returned null") instanceof CleanupResult.NotYet notYet) {
            return later(notYet.delay());
        }
        cluster.writer().removeFinalizer(context.primary(), finalizer.get());
        return ReconcileOutcome.awaitChange();
    }

    private static ReconcileOutcome later(Duration delay) {
        return delay.isZero() || delay.isNegative() ? ReconcileOutcome.requeue() : ReconcileOutcome.requeueAfter(delay);
    }

    private static boolean has(HasMetadata object, String finalizer) {
        return object.getMetadata().getFinalizers().contains(finalizer);
    }
}
