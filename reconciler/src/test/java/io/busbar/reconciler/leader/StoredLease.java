package io.busbar.reconciler.leader;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A lease that several replicas share, with the API server's check of the resourceVersion; a write that changes nothing
 * is none.
 */
final class StoredLease implements Leases {

    final List<String> requests = new ArrayList<>();
    private @Nullable Lease stored;
    private int version;
    private int failures;
    private String lost = "";
    private String refused = "";
    private int code;
    private Runnable meanwhile = () -> {};

    /** The next requests get no answer. */
    void failNext(int count) {
        failures = count;
    }

    /** Such requests are refused from now on. */
    void refuse(String request, int with) {
        refused = request;
        code = with;
    }

    /** The next such request is carried out, and its answer is lost. */
    void loseNextAnswerTo(String request) {
        lost = request;
    }

    /** As somebody with kubectl would. */
    void delete() {
        stored = null;
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
        keep(new LeaseBuilder(stored)
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
        return answer("create", store(lease));
    }

    @Override
    public synchronized Lease update(Lease lease, Duration timeout) {
        request("update", timeout);
        if (stored == null) {
            throw new KubernetesClientException("there is none", 404, null);
        }
        if (!lease.getMetadata()
                .getResourceVersion()
                .equals(lease().getMetadata().getResourceVersion())) {
            throw new KubernetesClientException("somebody was first", 409, null);
        }
        return answer("update", store(lease));
    }

    private Lease answer(String request, Lease lease) {
        if (!lost.equals(request)) {
            return lease;
        }
        lost = "";
        throw new KubernetesClientException("the answer was lost");
    }

    private void request(String what, Duration timeout) {
        requests.add(what);
        if (what.equals(refused)) {
            throw new KubernetesClientException("refused", code, null);
        }
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

    /** A write that changes nothing is none, as on the API server. */
    private Lease store(Lease lease) {
        if (stored != null && Objects.equals(stored.getSpec(), lease.getSpec())) {
            return lease();
        }
        return keep(lease);
    }

    private Lease keep(Lease lease) {
        version++;
        stored = new LeaseBuilder(lease)
                .editMetadata()
                .withResourceVersion("" + version)
                .endMetadata()
                .build();
        return lease();
    }
}
