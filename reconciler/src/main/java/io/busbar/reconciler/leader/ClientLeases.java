package io.busbar.reconciler.leader;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.write.ApiRequests;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Leases of a cluster.
 *
 * <p>Any thread; blocks.
 */
final class ClientLeases implements Leases {

    private final ApiRequests api;
    private final String collection;
    private final String path;

    /**
     * @param api not fenced
     */
    ClientLeases(ApiRequests api, ObjectKey lease) {
        this.api = api;
        this.collection = "/apis/coordination.k8s.io/v1/namespaces/" + lease.namespace() + "/leases";
        this.path = collection + "/" + lease.name();
    }

    @Override
    public @Nullable Lease get(Duration timeout) {
        try {
            return api.within(timeout).get(Lease.class, path);
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return null;
            }
            throw failure;
        }
    }

    @Override
    public Lease create(Lease lease, Duration timeout) {
        return api.within(timeout).create(Lease.class, collection, lease);
    }

    @Override
    public Lease update(Lease lease, Duration timeout) {
        return api.within(timeout).replace(Lease.class, path, lease);
    }
}
