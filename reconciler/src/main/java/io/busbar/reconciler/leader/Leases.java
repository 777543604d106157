package io.busbar.reconciler.leader;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The one lease, as the API server has it.
 *
 * <p>One thread; blocks, for the given time at most.
 */
interface Leases {

    /**
     * @return null if there is none
     * @throws KubernetesClientException when the API server refuses, or does not answer in time
     */
    @Nullable
    Lease get(Duration timeout);

    /**
     * @throws KubernetesClientException when there is one already, too
     */
    Lease create(Lease lease, Duration timeout);

    /**
     * @param lease with the resourceVersion that it had when it was read
     * @throws KubernetesClientException when somebody has changed it since, too
     */
    Lease update(Lease lease, Duration timeout);
}
