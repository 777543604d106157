package io.busbar.reconciler.work;

import io.busbar.common.ResourceType;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.shard.Sharding;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.Function;

/**
 * A cluster in which a controller works: what it reads and writes there, and what becomes of the primaries there.
 *
 * <p>Any thread.
 */
final class Site<P extends HasMetadata> {

    private final Cluster<P> cluster;
    private final Conflicts conflicts;
    private final Reconciliation<P> reconciliation;
    /** Whether the watches are there. Before, nothing is written either. */
    private volatile boolean begun;

    /** @param others the clusters beside this, by name; may throw */
    Site(
            Controller<P> controller,
            Cluster<P> cluster,
            ReconcileMetrics metrics,
            Function<String, Cluster<P>> others,
            Sharding sharding) {
        this.cluster = cluster;
        this.conflicts = new Conflicts(ResourceType.of(controller.type()));
        this.reconciliation = new Reconciliation<>(controller, cluster, metrics, conflicts, others, sharding);
    }

    Cluster<P> cluster() {
        return cluster;
    }

    Conflicts conflicts() {
        return conflicts;
    }

    Reconciliation<P> reconciliation() {
        return reconciliation;
    }

    void begin() {
        begun = true;
    }

    boolean begun() {
        return begun;
    }
}
