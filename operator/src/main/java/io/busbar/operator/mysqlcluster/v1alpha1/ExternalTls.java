package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import org.jspecify.annotations.Nullable;

/**
 * How connections to a server outside are encrypted.
 *
 * <p>Immutable; the mode is never null.
 *
 * @param mode Required: over TLS, to whoever answers; VerifyCA: only if one of the CAs has signed its certificate;
 *     VerifyIdentity: only if that holds for the host as well
 * @param caSecretRef a Secret whose key ca.crt has the CAs, in PEM; for the modes that verify. Members have it mounted
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ExternalTls(
        @Default("Disabled") ExternalTlsMode mode, @Nullable SecretRef caSecretRef) {

    static final ExternalTls NONE = new ExternalTls(ExternalTlsMode.Disabled, null);

    public ExternalTls {
        mode = mode == null ? ExternalTlsMode.Disabled : mode;
    }

    public boolean encrypts() {
        return mode != ExternalTlsMode.Disabled;
    }

    public boolean verifies() {
        return mode == ExternalTlsMode.VerifyCA || mode == ExternalTlsMode.VerifyIdentity;
    }
}
