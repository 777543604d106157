package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.watch.Lister;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.ClusterContext;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.source.PollingSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The context of one task. Follows the primary through its own writes, so that the next write is not in conflict with
 * them.
 *
 * <p>One thread.
 */
final class TaskContext<P extends HasMetadata> implements ReconcileContext<P> {

    private final ReconcileTask task;
    private final Cluster<P> cluster;
    private final Function<String, Cluster<P>> others;
    private final long tenure;
    private P primary;

    /** @param others the clusters beside the primary's, by name; may throw */
    TaskContext(ReconcileTask task, P primary, Cluster<P> cluster, Function<String, Cluster<P>> others, long tenure) {
        this.task = task;
        this.primary = primary;
        this.cluster = cluster;
        this.others = others;
        this.tenure = tenure;
    }

    /** Goes on with the primary as it was written. */
    void follow(P written) {
        primary = written;
    }

    /** As this reconcile has left it. */
    P primary() {
        return primary;
    }

    @Override
    public ObjectKey key() {
        return task.key();
    }

    @Override
    public String reconcileId() {
        return task.reconcileId();
    }

    @Override
    public int attempt() {
        return task.attempt();
    }

    @Override
    public long tenure() {
        return tenure;
    }

    @Override
    public Cause trigger() {
        return task.cause();
    }

    @Override
    public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
        return cluster.lister(type);
    }

    @Override
    public <T extends HasMetadata> List<T> owned(Class<T> type) {
        return cluster.owned(type, primary);
    }

    @Override
    public <T extends HasMetadata> Optional<T> live(Class<T> type, ObjectKey key) {
        return cluster.live(type, key);
    }

    @Override
    public <T extends HasMetadata> Optional<T> fetched(Class<T> type, ObjectKey key) {
        return cluster.fetched(type, key);
    }

    @Override
    public <Q, A> Optional<A> polled(PollingSource<? super P, Q, A> source) throws Exception {
        return cluster.pollers().read(source, primary);
    }

    @Override
    public <T extends HasMetadata> T apply(T desired, Apply how) {
        return followed(cluster.apply(desired, primary, cluster, how));
    }

    @Override
    public <T extends HasMetadata> T create(T desired) {
        return cluster.objects().create(desired, primary);
    }

    @Override
    public void delete(HasMetadata object) {
        cluster.objects().delete(object, Optional.empty());
    }

    @Override
    public void delete(HasMetadata object, Duration gracePeriod) {
        cluster.objects().delete(object, Optional.of(gracePeriod));
    }

    @Override
    public P status(P desired) {
        return followed(cluster.writer().status(primary, desired));
    }

    @Override
    public <T extends HasMetadata> T remember(T written) {
        cluster.remember(written);
        return followed(written);
    }

    private <T extends HasMetadata> T followed(T written) {
        if (cluster.type().isInstance(written)
                && ObjectKey.of(written).equals(task.key().local())) {
            primary = cluster.type().cast(written);
        }
        return written;
    }

    @Override
    public ClusterContext in(String name) {
        return name.equals(cluster.name()) ? this : new MemberContext<>(others.apply(name), cluster, primary);
    }

    @Override
    public EventRecorder events() {
        return cluster.events();
    }

    @Override
    public KubernetesClient client() {
        return cluster.client();
    }
}
