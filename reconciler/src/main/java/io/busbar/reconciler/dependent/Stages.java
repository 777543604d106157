package io.busbar.reconciler.dependent;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Applies dependents in order: those of a stage are made once all of the stages before are ready. What is there already is kept as
 * desired whatever the others do, so that drift is mended while a stage before is not ready.
 *
 * <p>For the thread of one reconcile. The kinds must be watched; a change of one then brings the next reconcile, and with it the next
 * stage.
 */
public final class Stages {

    private static final Readiness READINESS = Readiness.getInstance();

    private final ReconcileContext<?> context;
    private final List<HasMetadata> applied = new ArrayList<>();
    private Optional<HasMetadata> holdingUp = Optional.empty();

    public Stages(ReconcileContext<?> context) {
        this.context = context;
    }

    /** Adds a stage. */
    public Stages then(HasMetadata... desired) {
        boolean open = holdingUp.isEmpty();
        for (HasMetadata object : desired) {
            if (open || exists(object)) {
                HasMetadata current = context.apply(object);
                applied.add(current);
                if (holdingUp.isEmpty() && !ready(current)) {
                    holdingUp = Optional.of(current);
                }
            }
        }
        return this;
    }

    /** The first that is not ready; empty when all are. */
    public Optional<HasMetadata> holdingUp() {
        return holdingUp;
    }

    /** Those of a type, as they are now, in the order of their stages. */
    public <T extends HasMetadata> List<T> applied(Class<T> type) {
        return applied.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private boolean exists(HasMetadata object) {
        return context.lister(object.getClass()).get(ObjectKey.of(object)).isPresent();
    }

    /** What runs nothing is ready once it is there. */
    private static boolean ready(HasMetadata object) {
        return !READINESS.isReadinessApplicable(object) || READINESS.isReady(object);
    }
}
