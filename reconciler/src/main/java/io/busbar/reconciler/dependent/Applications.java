package io.busbar.reconciler.dependent;

import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies dependents, and tells what was refused for good from what may mend by itself. For the thread of one
 * reconcile.
 */
final class Applications {

    private static final Logger log = LoggerFactory.getLogger(Applications.class);
    private static final Readiness READINESS = Readiness.getInstance();

    /** How long what no watch tells of is left alone before it is looked at again. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private Applications() {}

    /** What came of applying one. Immutable. */
    sealed interface Outcome {

        /** It is there, as desired. */
        record Applied(HasMetadata object) implements Outcome {}

        /** Only a person can help. */
        record Refused(Rollout.State state, String message) implements Outcome {}
    }

    /**
     * @throws KubernetesClientException when it may mend by itself
     */
    static Outcome apply(HasMetadata desired, Apply how, ReconcileContext<?> context) {
        try {
            return new Outcome.Applied(context.apply(desired, how));
        } catch (ObjectNotOwnedException notOwned) {
            return new Outcome.Refused(Rollout.State.NOT_OWNED, String.valueOf(notOwned.getMessage()));
        } catch (KubernetesClientException failure) {
            if (!(ApiFailure.of(failure) instanceof ApiFailure.Rejected rejected)) {
                throw failure;
            }
            log.atError()
                    .addKeyValue("kind", desired.getKind())
                    .addKeyValue("object", ObjectKey.of(desired))
                    .addKeyValue("error", rejected.message())
                    .log("a dependent is refused");
            return new Outcome.Refused(Rollout.State.REFUSED, name(desired) + ": " + rejected.message());
        }
    }

    /** The one of the primary's own that has this name. */
    static <T extends HasMetadata> Optional<T> owned(Class<T> type, ObjectKey key, ReconcileContext<?> context) {
        return context.owned(type).stream()
                .filter(one -> ObjectKey.of(one).equals(key))
                .findFirst();
    }

    static String name(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }

    /** What runs nothing is ready once it is there; a Deployment may be asked for no Pods. */
    static boolean isReady(HasMetadata object) {
        if (object instanceof Deployment deployment) {
            return Rollout.of(deployment).available();
        }
        return !READINESS.isReadinessApplicable(object) || READINESS.isReady(object);
    }
}
