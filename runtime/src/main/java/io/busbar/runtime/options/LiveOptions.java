package io.busbar.runtime.options;

import java.util.Optional;

/**
 * How the live page is served: over TLS with the certificate of metrics, to those whom the cluster allows, or in plain
 * HTTP to who has a token.
 *
 * <p>Immutable.
 *
 * @param token for this machine alone; empty where the cluster is asked
 */
public record LiveOptions(BindAddress address, Optional<String> token) {

    /** No page. */
    public static LiveOptions off() {
        return new LiveOptions(BindAddress.off(), Optional.empty());
    }
}
