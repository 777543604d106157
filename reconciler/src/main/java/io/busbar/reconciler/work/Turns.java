package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.watch.Listers;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.shard.Sharding;
import io.busbar.reconciler.write.ApiRequests;
import io.busbar.reconciler.write.FetchedObjects;
import io.busbar.reconciler.write.Schemas;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Optional;

/**
 * The turns of one controller, each taken by its caller: what {@link Controllers} does with a key once a worker has it.
 * There is no queue, no worker, no deadline and no bus. For tests of reconcilers.
 *
 * <p>Any thread, one at a time; blocks.
 */
public final class Turns<P extends HasMetadata> {

    private final Cluster<P> cluster;
    private final Reconciliation<P> reconciliation;

    private Turns(Cluster<P> cluster, Reconciliation<P> reconciliation) {
        this.cluster = cluster;
        this.reconciliation = reconciliation;
    }

    /**
     * @param readsAny whether the reconciler may read what the controller has not declared, for one that is tested by
     *     itself
     * @param stores what the controller's watches hold; whoever feeds them calls {@link #changed}
     */
    public static <P extends HasMetadata> Turns<P> of(
            Controller<P> controller, boolean readsAny, Listers stores, KubernetesClient client, EventRecorder events) {
        MeterRegistry meters = new SimpleMeterRegistry();
        ApiRequests api = new ApiRequests(client);
        Reads reads = readsAny ? Reads.any(controller) : Reads.of(controller, "");
        Member home = new Member(
                "",
                client,
                api,
                new Schemas(api, System::nanoTime),
                new FetchedObjects(api, FetchedObjects.STANDARD_BYTES),
                Optional.empty());
        WriteLoops loops = new WriteLoops(controller.name(), api::json, meters, System::nanoTime);
        Cluster<P> cluster = Cluster.of(home, controller, reads, stores, events, loops, meters);
        ReconcileMetrics metrics = new ReconcileMetrics(meters, controller.name(), controller.workers(), () -> 0);
        Conflicts conflicts = new Conflicts(ResourceType.of(controller.type()));
        return new Turns<>(
                cluster,
                new Reconciliation<>(controller, cluster, metrics, conflicts, Turns::noOther, Sharding.none()));
    }

    private static <P extends HasMetadata> Cluster<P> noOther(String name) {
        throw new IllegalArgumentException("there is no cluster '" + name + "' here; allowed: the operator's own, ''");
    }

    /**
     * Takes a turn: finalizer, reconcile or cleanup, as the primary is. The reconciler is told of a failure.
     *
     * @throws Exception that of the reconciler, and of what it wrote
     */
    public ReconcileOutcome take(ReconcileTask task) throws Exception {
        try {
            cluster.resolveDoubts();
            return cluster.loops().turn(task.key(), () -> reconciliation.run(task));
        } catch (Throwable failure) { // errors, too, as a worker does
            reconciliation.tell(task, failure);
            throw failure;
        }
    }

    /** The primary as a turn that begins now would find it, own writes included. */
    public Optional<P> primary(ObjectKey key) {
        return cluster.primary(key);
    }

    /** What a reconcile of this primary reads and writes with. */
    public ReconcileContext<P> context(ReconcileTask task, P primary) {
        return new TaskContext<>(task, primary, cluster, Turns::noOther, 0);
    }

    /** Takes note of what a watch has stored, once it has. */
    public void changed(Class<? extends HasMetadata> type, ResourceChanged change) {
        if (cluster.reads(type, change.watch())) {
            cluster.changed(type, change);
        }
    }
}
