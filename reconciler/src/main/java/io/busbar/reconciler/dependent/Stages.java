package io.busbar.reconciler.dependent;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.dependent.Applications.Outcome;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies dependents in order: those of a stage are made once all of the stages before are ready. What is there already
 * is kept as desired whatever the others do, so that drift is mended while a stage before is not ready.
 *
 * <p>A dependent that is refused, so that only a person can help, holds up the stages after it and nothing else:
 * {@link #rollout} says why, and by {@link #result} it is tried again; so does one in whose place there is an object of
 * somebody else, which no watch need show to be gone: that is looked at again every {@link #PATIENCE}. All other
 * failures are thrown.
 *
 * <p>For the thread of one reconcile. The kinds must be {@linkplain io.busbar.reconciler.Controller#owns owned}; a
 * change of one then brings the next reconcile, and with it the next stage.
 */
public final class Stages {

    /** How long an object that is somebody else's is left alone before it is looked at again. */
    static final Duration PATIENCE = Applications.PATIENCE;

    private final ReconcileContext<?> context;
    private final Apply how;
    private final List<HasMetadata> applied = new ArrayList<>();
    private Optional<HasMetadata> holdingUp = Optional.empty();
    private boolean complete = true;
    private Outcome.@Nullable Refused refusal;

    public Stages(ReconcileContext<?> context) {
        this(context, Apply.standard());
    }

    /**
     * @param how all dependents are applied
     */
    public Stages(ReconcileContext<?> context, Apply how) {
        this.context = context;
        this.how = how;
    }

    /** Adds a stage. */
    public Stages then(HasMetadata... desired) {
        boolean open = holdingUp.isEmpty();
        for (HasMetadata object : desired) {
            Optional<HasMetadata> existing = existing(object);
            Optional<HasMetadata> applicable = open || existing.isPresent() ? apply(object) : Optional.empty();
            Optional<HasMetadata> current = applicable.or(() -> existing);
            current.ifPresent(applied::add);
            complete &= current.isPresent();
            if (holdingUp.isEmpty() && (applicable.isEmpty() || !Applications.isReady(applicable.get()))) {
                holdingUp = Optional.of(object);
            }
        }
        return this;
    }

    /** The first, as desired, that is not ready or was refused; empty when all are ready. */
    public Optional<HasMetadata> holdingUp() {
        return holdingUp;
    }

    /** Those of a type that are there, as they are now, in the order of their stages. */
    public <T extends HasMetadata> List<T> applied(Class<T> type) {
        return applied.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** How many Pods of all Deployments are ready. */
    public int readyReplicas() {
        return applied(Deployment.class).stream()
                .map(Deployment::getStatus)
                .filter(status -> status != null && status.getReadyReplicas() != null)
                .mapToInt(DeploymentStatus::getReadyReplicas)
                .sum();
    }

    /** How far all Deployments have come. */
    public Rollout rollout() {
        Rollout rollout = Rollout.of(applied(Deployment.class));
        if (refusal != null) {
            return new Rollout(refusal.state(), complete && rollout.available(), refusal.message());
        }
        return complete || rollout.state() != Rollout.State.COMPLETE
                ? rollout
                : new Rollout(
                        Rollout.State.PROGRESSING, false, "waiting for " + Applications.name(holdingUp.orElseThrow()));
    }

    /** What to return from a reconcile that ends with the stages. */
    public ReconcileResult result() {
        if (refusal == null) {
            return ReconcileResult.awaitChange();
        }
        return refusal.state() == Rollout.State.NOT_OWNED
                ? ReconcileResult.requeueAfter(PATIENCE)
                : ReconcileResult.requeue();
    }

    /** Empty when it is refused; the first refusal counts. */
    private Optional<HasMetadata> apply(HasMetadata object) {
        Outcome outcome = Applications.apply(object, how, context);
        if (outcome instanceof Outcome.Applied applied) {
            return Optional.of(applied.object());
        }
        refusal = refusal == null ? (Outcome.Refused) outcome : refusal;
        return Optional.empty();
    }

    private Optional<HasMetadata> existing(HasMetadata object) {
        return Applications.owned(object.getClass(), ObjectKey.of(object), context)
                .map(one -> one);
    }
}
