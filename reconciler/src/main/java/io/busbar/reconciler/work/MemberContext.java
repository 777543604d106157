package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.ClusterContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;

/**
 * What the reconcile of a primary reads and writes with in another cluster.
 *
 * <p>One thread.
 *
 * @param home the primary's cluster
 */
record MemberContext<P extends HasMetadata>(Cluster<P> member, Cluster<P> home, P primary) implements ClusterContext {

    @Override
    public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
        return member.lister(type);
    }

    @Override
    public <T extends HasMetadata> Optional<T> live(Class<T> type, ObjectKey key) {
        return member.live(type, key);
    }

    @Override
    public <T extends HasMetadata> Optional<T> fetched(Class<T> type, ObjectKey key) {
        return member.fetched(type, key);
    }

    @Override
    public <T extends HasMetadata> T apply(T desired, Apply how) {
        return member.apply(desired, primary, home, how);
    }

    @Override
    public <T extends HasMetadata> T create(T desired) {
        return member.objects().create(desired, primary, false);
    }

    @Override
    public void delete(HasMetadata object) {
        member.objects().delete(object, Optional.empty());
    }

    @Override
    public void delete(HasMetadata object, Duration gracePeriod) {
        member.objects().delete(object, Optional.of(gracePeriod));
    }

    @Override
    public <T extends HasMetadata> T remember(T written) {
        member.remember(written);
        return written;
    }

    @Override
    public KubernetesClient client() {
        return member.client();
    }
}
