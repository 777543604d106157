package io.busbar.runtime.options;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * How the live page is served: over TLS with the certificate of metrics, to those whom the cluster allows, or in plain
 * HTTP to who has a printed address.
 *
 * <p>Immutable.
 *
 * @param printer told each address that is good for one session, the next when one is used; for this machine alone; on
 *     a worker; empty where the cluster is asked
 */
public record LiveOptions(BindAddress address, Optional<Consumer<String>> printer) {

    /** No page. */
    public static LiveOptions off() {
        return new LiveOptions(BindAddress.off(), Optional.empty());
    }
}
