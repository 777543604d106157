package io.busbar.reconciler.leader;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.URI;

/** A request was not sent, as this replica does not lead, or not any more. Another one will do what is to be done. */
public final class FencedException extends KubernetesClientException {

    FencedException(String method, URI uri) {
        super(method + " " + uri.getPath() + ": not sent, since this replica does not lead");
    }
}
