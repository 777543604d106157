package io.busbar.reconciler.write;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/**
 * The primary was not written, as somebody else has changed it since it was read, or it has gone: it is to be read
 * again, and decided on anew.
 */
public final class OutdatedPrimaryException extends KubernetesClientException {

    private static final long serialVersionUID = 1L;

    OutdatedPrimaryException(String message) {
        super(message, HttpURLConnection.HTTP_CONFLICT, null);
    }

    OutdatedPrimaryException(KubernetesClientException conflict) {
        super(conflict.getMessage(), HttpURLConnection.HTTP_CONFLICT, conflict.getStatus());
    }
}
