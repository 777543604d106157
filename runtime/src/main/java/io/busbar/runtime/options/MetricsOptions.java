package io.busbar.runtime.options;

import io.busbar.runtime.options.WebhookOptions.Certificates.Mounted;
import java.util.Optional;

/**
 * How metrics are served.
 *
 * <p>Immutable.
 *
 * @param secure over TLS, and only to those whom the cluster allows
 * @param certificate for TLS; empty for one made at the start, which no client can know
 * @param http2 whether clients of TLS may choose HTTP/2
 */
public record MetricsOptions(BindAddress address, boolean secure, Optional<Mounted> certificate, boolean http2) {

    /** Plain HTTP, to anyone. */
    public static MetricsOptions plain(BindAddress address) {
        return new MetricsOptions(address, false, Optional.empty(), false);
    }
}
