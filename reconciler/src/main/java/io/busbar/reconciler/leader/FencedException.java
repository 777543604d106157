package io.busbar.reconciler.leader;

import io.fabric8.kubernetes.client.KubernetesClientException;

/** A request was not sent, as this replica does not lead, or not any more. Another one will do what is to be done. */
public final class FencedException extends KubernetesClientException {

    /**
     * @param request what was not sent, for people
     */
    FencedException(String request) {
        super(request + ": not sent, since this replica does not lead");
    }
}
