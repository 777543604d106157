package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a primary whose turn it is:
 *
 * <ul>
 *   <li>gone: nothing
 *   <li>being deleted: cleanup while it has our finalizer, which then goes; without one, nothing
 *   <li>paused: nothing, and no finalizer either
 *   <li>else: the finalizer first, if the controller has one; then reconcile
 * </ul>
 *
 * <p>Any thread, one at a time for each key.
 */
final class Reconciliation<P extends HasMetadata> {

    private static final Logger log = LoggerFactory.getLogger(Reconciliation.class);

    private final Controller<P> controller;
    private final Cluster<P> cluster;
    private final ReconcileMetrics metrics;
    private final Set<ObjectKey> paused = ConcurrentHashMap.newKeySet();

    Reconciliation(Controller<P> controller, Cluster<P> cluster, ReconcileMetrics metrics) {
        this.controller = controller;
        this.cluster = cluster;
        this.metrics = metrics;
    }

    ReconcileOutcome run(ReconcileTask task) throws Exception {
        Optional<P> found = cluster.primary(task.key());
        boolean pause = found.isPresent() && !found.get().isMarkedForDeletion() && Controller.isPaused(found.get());
        if (notePause(task.key(), pause) || found.isEmpty()) {
            return ReconcileOutcome.awaitChange();
        }
        P primary = found.get();
        return primary.isMarkedForDeletion() ? cleanUp(primary, task) : reconcile(primary, task);
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

    private ReconcileOutcome reconcile(P primary, ReconcileTask task) throws Exception {
        Optional<String> finalizer = controller.finalizer().filter(name -> !has(primary, name));
        P kept = finalizer.isEmpty() ? primary : cluster.writer().addFinalizer(primary, finalizer.get());
        ReconcileResult result = controller.reconciler().reconcile(kept, context(kept, task));
        return outcome(Objects.requireNonNull(result, "the reconciler returned null"));
    }

    private static ReconcileOutcome outcome(ReconcileResult result) {
        if (result instanceof ReconcileResult.RequeueAfter after) {
            return ReconcileOutcome.requeueAfter(after.delay());
        }
        return result instanceof ReconcileResult.Requeue ? ReconcileOutcome.requeue() : ReconcileOutcome.awaitChange();
    }

    private ReconcileOutcome cleanUp(P primary, ReconcileTask task) throws Exception {
        Optional<String> finalizer = controller.finalizer().filter(name -> has(primary, name));
        if (finalizer.isEmpty()) {
            return ReconcileOutcome.awaitChange();
        }
        TaskContext<P> context = context(primary, task);
        CleanupResult result = controller.reconciler().cleanup(primary, context);
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

    private TaskContext<P> context(P primary, ReconcileTask task) {
        return new TaskContext<>(task, primary, cluster);
    }
}
