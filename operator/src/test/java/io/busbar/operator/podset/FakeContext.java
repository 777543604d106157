package io.busbar.operator.podset;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetStatus;
import io.busbar.operator.sidecarset.StoredObjects;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a reconcile of a PodSet reads and writes, in memory. It does not imitate: the lag of a watch, ownership (all
 * Pods are the set's), Pods that start, aggregation of Events, conflicts on the status, apply, and the client, so that
 * a read of the live set fails.
 */
final class FakeContext implements ReconcileContext<PodSet>, EventRecorder {

    final StoredObjects<Pod> pods = new StoredObjects<>();

    /** Every write, in order: {@code create a-1}, {@code delete a-1}, {@code status}. */
    final List<String> writes = new ArrayList<>();

    /** Every Event, as {@code reason: note}. */
    final List<String> events = new ArrayList<>();

    private final PodSet set;
    private final AtomicInteger created = new AtomicInteger();
    private @Nullable Supplier<RuntimeException> refusal;

    FakeContext(PodSet set, Pod... pods) {
        this.set = set;
        for (Pod pod : pods) {
            this.pods.put(pod);
        }
    }

    /** Creates fail from now on. */
    void refuseCreates(Supplier<RuntimeException> failure) {
        refusal = failure;
    }

    PodSetStatus status() {
        return set.getStatus();
    }

    @Override
    public ObjectKey key() {
        return ObjectKey.of(set);
    }

    @Override
    public String reconcileId() {
        return "r-1";
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
        throw new UnsupportedOperationException("lister");
    }

    @Override
    public <T extends HasMetadata> List<T> owned(Class<T> type) {
        return pods.list().stream().map(type::cast).toList();
    }

    @Override
    public <T extends HasMetadata> T apply(T desired, Apply how) {
        throw new UnsupportedOperationException("apply");
    }

    @Override
    public synchronized <T extends HasMetadata> T create(T desired) {
        if (refusal != null) {
            throw refusal.get();
        }
        String name = desired.getMetadata().getGenerateName() + created.incrementAndGet();
        Pod pod = new PodBuilder((Pod) desired)
                .editMetadata()
                .withName(name)
                .withUid("uid-" + name)
                .endMetadata()
                .build();
        pods.put(pod);
        writes.add("create " + name);
        @SuppressWarnings("unchecked") // a Pod was given
        T result = (T) pod;
        return result;
    }

    @Override
    public synchronized void delete(HasMetadata object) {
        pods.put(TestPods.deleting((Pod) object));
        writes.add("delete " + object.getMetadata().getName());
    }

    @Override
    public void delete(HasMetadata object, Duration gracePeriod) {
        throw new UnsupportedOperationException("delete with a grace period");
    }

    @Override
    public PodSet status(PodSet desired) {
        if (!desired.getStatus().equals(set.getStatus())) {
            set.setStatus(desired.getStatus());
            writes.add("status");
        }
        return set;
    }

    @Override
    public <T extends HasMetadata> T remember(T written) {
        throw new UnsupportedOperationException("remember");
    }

    @Override
    public EventRecorder events() {
        return this;
    }

    @Override
    public KubernetesClient client() {
        throw new UnsupportedOperationException("client");
    }

    @Override
    public void normal(HasMetadata regarding, String reason, String action, String note) {
        events.add(reason + ": " + note);
    }

    @Override
    public void warning(HasMetadata regarding, String reason, String action, String note) {
        events.add(reason + ": " + note);
    }
}
