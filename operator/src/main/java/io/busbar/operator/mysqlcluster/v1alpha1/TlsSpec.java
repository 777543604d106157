package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import org.jspecify.annotations.Nullable;

/**
 * How connections to the servers are encrypted.
 *
 * <p>Immutable; the mode is never null.
 *
 * @param mode Preferred: replicas, the operator and its Jobs use TLS, and programs may; Required: nobody gets in
 *     without, once all members have certificates. A change restarts the members, one after the other
 * @param issuerRef who issues the certificate of the servers, by cert-manager; if left out, a CA of the operator's own
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record TlsSpec(
        @Default("Disabled") TlsMode mode, @Nullable IssuerRef issuerRef) {

    static final TlsSpec NONE = new TlsSpec(TlsMode.Disabled, null);

    public TlsSpec {
        mode = mode == null ? TlsMode.Disabled : mode;
    }

    /** Whether the servers are to have certificates. */
    public boolean encrypts() {
        return mode != TlsMode.Disabled;
    }
}
