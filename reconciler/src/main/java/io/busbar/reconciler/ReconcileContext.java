package io.busbar.reconciler;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Cause;
import io.busbar.reconciler.source.PollingSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;

/**
 * What a reconciler reads from and writes with, in the cluster of its primary; and the way to others, where its
 * operator works in several.
 *
 * <p>For the thread of one reconcile. Reads come from the stores, with this controller's own writes laid over them
 * until the watch has caught up. Writes throw {@link io.fabric8.kubernetes.client.KubernetesClientException}.
 */
public interface ReconcileContext<P extends HasMetadata> extends ClusterContext {

    /** Of the primary, with its cluster where that is not the operator's own. */
    ObjectKey key();

    /** Stands in every log line of this reconcile. */
    String reconcileId();

    /** 1, and one more for each failure in a row. */
    int attempt();

    /**
     * Another number when another replica may have worked on the primary since the last reconcile here: what this one
     * keeps of the primary in memory may be outdated then. Always the same where replicas do not share the work.
     */
    default long tenure() {
        return 0;
    }

    /**
     * What has made this reconcile necessary, for people and for logs. Of several changes it is the latest that had
     * arrived when the reconcile began; what is to be done must follow from the state alone. It stands in every log
     * line of this reconcile.
     */
    default Cause trigger() {
        return Cause.of(Cause.How.UNKNOWN, key());
    }

    /**
     * The objects of a type that the primary controls.
     *
     * @throws IllegalArgumentException when the controller has not declared {@code owns} for it
     */
    <T extends HasMetadata> List<T> owned(Class<T> type);

    /**
     * The last answer of a polling event source to what this primary asks. Where there is none yet, it is asked now, on
     * this thread; later answers that differ have the primary reconciled.
     *
     * @param source which the controller has declared
     * @return empty where nothing is to be asked, or that is the answer
     * @throws IllegalArgumentException when the controller has not declared it
     * @throws Exception of the source's poll, where there is no answer yet
     */
    default <Q, A> Optional<A> polled(PollingSource<? super P, Q, A> source) throws Exception {
        throw new UnsupportedOperationException("nothing is polled here: " + source.name());
    }

    /**
     * Writes the primary's status, only if it differs from the one that the store has.
     *
     * @param desired a copy of the primary whose status is what it should be
     * @return the primary as it is now
     */
    P status(P desired);

    /**
     * What this reconciler reads from and writes with in another cluster. There a write gives no owner: a reference
     * cannot cross clusters, and what is to end with the primary is deleted in {@link Reconciler#cleanup}. An object
     * that is there already is this controller's if it has applied or created it before.
     *
     * @param cluster as the operator knows it; empty for the operator's own
     * @throws IllegalArgumentException when the operator knows no such cluster
     * @throws KubernetesClientException when what this controller watches there has not been listed yet, as when the
     *     cluster is away: to be caught by who goes on with the others
     */
    default ClusterContext in(String cluster) {
        if (cluster.equals(key().cluster())) {
            return this;
        }
        throw new IllegalArgumentException(
                "there is no cluster '" + cluster + "' here; allowed: the primary's own, '" + key().cluster() + "'");
    }

    /** The client of a cluster; throws as {@link #in} does. */
    default KubernetesClient client(String cluster) {
        return in(cluster).client();
    }

    EventRecorder events();
}
