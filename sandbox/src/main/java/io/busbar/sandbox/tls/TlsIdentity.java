package io.busbar.sandbox.tls;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Who the server is, and whom clients have to trust for it.
 *
 * <p>Immutable.
 *
 * @param authority the CA's certificate, in PEM
 */
public record TlsIdentity(String authority, Identity server) {

    private static final String SERVICE_ADDRESS = "10.96.0.1";

    /** Makes a CA and a certificate for a host. Takes some time: not for an event loop. */
    public static TlsIdentity make(String host) {
        CertificateAuthority authority = new CertificateAuthority(Instant.now());
        List<String> names =
                new ArrayList<>(List.of("localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"));
        List<String> addresses = new ArrayList<>(List.of("127.0.0.1", "0:0:0:0:0:0:0:1", SERVICE_ADDRESS));
        boolean address = host.matches("[0-9.]+") || host.contains(":");
        (address ? addresses : names).add(host);
        return new TlsIdentity(authority.certificate(), authority.server(names, addresses));
    }
}
