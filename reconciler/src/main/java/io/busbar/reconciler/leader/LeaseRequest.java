package io.busbar.reconciler.leader;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that an attempt to lead needs the answer of.
 *
 * <p>Immutable, as long as nobody changes the lease.
 *
 * @param lease to write; null when it is to be read
 * @param timeout more than 0
 */
record LeaseRequest(Kind kind, @Nullable Lease lease, Duration timeout) implements Step {

    enum Kind {
        READ,
        CREATE,
        UPDATE
    }

    /**
     * Sends it; blocks, for its timeout at most.
     *
     * @return the lease as it is stored; null when there is none to read
     * @throws KubernetesClientException as {@link Leases} does
     */
    @Nullable
    Lease sendTo(Leases leases) {
        return switch (kind) {
            case READ -> leases.get(timeout);
            case CREATE -> leases.create(Objects.requireNonNull(lease), timeout);
            case UPDATE -> leases.update(Objects.requireNonNull(lease), timeout);
        };
    }
}
