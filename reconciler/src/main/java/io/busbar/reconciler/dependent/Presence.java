package io.busbar.reconciler.dependent;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;

/**
 * Whether a primary is really still there.
 *
 * <p>Watches of two kinds are not in order: a primary's dependents can be seen to go before the primary is. So a
 * reconciler that is about to make anew what was there before asks the API server first; otherwise it would do so for a
 * primary that has been deleted.
 *
 * <p>For the thread of one reconcile, which waits for one request.
 */
public final class Presence {

    private Presence() {}

    /**
     * Whether the primary is there at this moment, is the same one, and is not being deleted.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server does not tell
     */
    public static boolean confirm(HasMetadata primary, KubernetesClient client) {
        HasMetadata live = client.resource(primary).get();
        return live != null
                && !live.isMarkedForDeletion()
                && Objects.equals(
                        live.getMetadata().getUid(), primary.getMetadata().getUid());
    }
}
