package io.busbar.reconciler.leader;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lease that several replicas share, with the API server's check of the resourceVersion, and nothing else of it. */
final class StoredLease implements Leases {

    final List<String> requests = new ArrayList<>();
    private @Nullable Lease stored;
    private int version;
    private int failures;
    private Runnable meanwhile = () -> {};

    /** The next requests get no answer. */
    void failNext(int count) {
        failures = count;
    }

    /** While the next request is under way. */
    void duringNext(Runnable happens) {
        meanwhile = happens;
    }

    Lease lease() {
        return new LeaseBuilder(stored).build();
    }

    /** As somebody with an editor would. */
    void edit(String holder) {
        store(new LeaseBuilder(stored)
                .editSpec()
                .withHolderIdentity(holder)
                .endSpec()
                .build());
    }

    @Override
    public synchronized @Nullable Lease get(Duration timeout) {
        request("get", timeout);
        return stored == null ? null : lease();
    }

    @Override
    public synchronized Lease create(Lease lease, Duration timeout) {
        request("create", timeout);
        if (stored != null) {
            throw new KubernetesClientException("there is one", 409, null);
        }
        return store(lease);
    }

    @Override
    public synchronized Lease update(Lease lease, Duration timeout) {
        request("update", timeout);
        if (!lease.getMetadata()
                .getResourceVersion()
                .equals(lease().getMetadata().getResourceVersion())) {
            throw new KubernetesClientException("somebody was first", 409, null);
        }
        return store(lease);
    }

    private void request(String what, Duration timeout) {
        requests.add(what);
        Runnable now = meanwhile;
        meanwhile = () -> {};
        now.run();
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout " + timeout);
        }
        if (failures > 0) {
            failures--;
            throw new KubernetesClientException("no answer");
        }
    }

    private Lease store(Lease lease) {
        version++;
        stored = new LeaseBuilder(lease)
                .editMetadata()
                .withResourceVersion("" + version)
                .endMetadata()
                .build();
        return lease();
    }
}
