package io.busbar.operator.sidecarset;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSetStatus;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a reconcile of a SidecarSet reads and writes, in memory. It does not imitate: the lag of a watch (what is
 * remembered is in the store at once), aggregation of Events, conflicts on the status, owned objects, apply, create,
 * delete, and the client.
 */
public final class FakeContext implements ReconcileContext<SidecarSet>, EventRecorder {

    public final StoredObjects<Pod> pods = new StoredObjects<>();
    public final StoredObjects<Namespace> namespaces = new StoredObjects<>();
    public final StoredObjects<ControllerRevision> revisions = new StoredObjects<>();

    /** Every status that was written, in order. */
    public final List<SidecarSetStatus> statuses = new ArrayList<>();

    /** Every Event, as {@code reason: note}. */
    public final List<String> events = new CopyOnWriteArrayList<>();

    private final SidecarSet set;

    public FakeContext(SidecarSet set) {
        this.set = set;
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
    @SuppressWarnings("unchecked") // each store holds the type that it is asked for by
    public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
        if (type == Pod.class) {
            return (Lister<T>) pods;
        }
        if (type == Namespace.class) {
            return (Lister<T>) namespaces;
        }
        if (type == ControllerRevision.class) {
            return (Lister<T>) revisions;
        }
        throw new IllegalArgumentException("not watched: " + type);
    }

    @Override
    public <T extends HasMetadata> List<T> owned(Class<T> type) {
        throw new UnsupportedOperationException("owned");
    }

    @Override
    public <T extends HasMetadata> T apply(T desired, Apply how) {
        throw new UnsupportedOperationException("apply");
    }

    @Override
    public <T extends HasMetadata> T create(T desired) {
        throw new UnsupportedOperationException("create");
    }

    @Override
    public void delete(HasMetadata object) {
        throw new UnsupportedOperationException("delete");
    }

    @Override
    public void delete(HasMetadata object, Duration gracePeriod) {
        throw new UnsupportedOperationException("delete");
    }

    @Override
    public SidecarSet status(SidecarSet desired) {
        if (!desired.getStatus().equals(set.getStatus())) {
            set.setStatus(desired.getStatus());
            statuses.add(desired.getStatus());
        }
        return set;
    }

    @Override
    public <T extends HasMetadata> T remember(T written) {
        if (written instanceof Pod pod) {
            pods.put(pod);
        }
        return written;
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
