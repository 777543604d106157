package io.busbar.runtime.options;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How admission webhooks are served and registered.
 *
 * <p>Immutable.
 *
 * @param address where the server listens
 * @param certificates where its certificate comes from
 * @param clientCa a file with the CAs of clients that are answered; empty for all clients
 * @param registrationUrl under which the API server reaches it, for registration by URL; empty for registration by
 *     Service
 * @param service the Service in front of it, in the operator's namespace
 * @param http2 whether clients may choose HTTP/2
 */
public record WebhookOptions(
        BindAddress address,
        Certificates certificates,
        Optional<Path> clientCa,
        Optional<String> registrationUrl,
        String service,
        boolean http2) {

    /** Where the serving certificate comes from. Immutable. */
    public sealed interface Certificates {

        /** Files that somebody else keeps fresh, such as a Secret of cert-manager. */
        record Mounted(Path folder, String chainFile, String keyFile) implements Certificates {}

        /** A CA of this process alone, forgotten when it ends. */
        record InMemory() implements Certificates {}

        /** No webhooks are served. */
        record None() implements Certificates {}

        /** The operator's own CA, kept in a Secret of its namespace. */
        record SelfSigned(String secret) implements Certificates {}
    }
}
