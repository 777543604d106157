package io.busbar.sandbox.tls;

/**
 * A certificate and its key, in PEM.
 *
 * <p>Immutable.
 */
public record Identity(String certificate, String key) {

    @Override
    public String toString() {
        return "Identity[" + certificate.length() + " characters of certificate]";
    }
}
