package io.busbar.sandbox.tls;

import io.busbar.common.internal.certificate.CertificateIssuer;
import io.busbar.common.internal.certificate.KeyManagers;
import io.busbar.common.internal.certificate.Pem;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.X509KeyManager;

/**
 * Who the server is, and whom clients have to trust for it.
 *
 * <p>Immutable.
 *
 * @param authority the CA's certificate, in PEM; its key is not kept
 * @param certificate the server's, in PEM
 * @param key of the server's certificate, in PEM
 */
public record TlsIdentity(String authority, String certificate, String key) {

    private static final Duration LIFE = Duration.ofDays(3650);
    private static final String SERVICE_ADDRESS = "10.96.0.1";

    /** Makes a CA and a certificate for a host. Takes some time: not for an event loop. */
    public static TlsIdentity make(String host) {
        CertificateIssuer issuer = new CertificateIssuer("busbar sandbox");
        Instant now = Instant.now();
        KeyPair authorityKeys = issuer.newKeys();
        X509Certificate authority = issuer.authority(authorityKeys, now, LIFE);
        KeyPair keys = issuer.newKeys();
        List<String> names = List.of(
                "localhost",
                "kubernetes",
                "kubernetes.default",
                "kubernetes.default.svc",
                "127.0.0.1",
                "::1",
                SERVICE_ADDRESS,
                host);
        X509Certificate server =
                issuer.serving(names, keys.getPublic(), authority, authorityKeys.getPrivate(), now, LIFE);
        return new TlsIdentity(Pem.write(List.of(authority)), Pem.write(List.of(server)), Pem.write(keys.getPrivate()));
    }

    /**
     * For the server.
     *
     * @throws IllegalStateException when this was not made here and cannot be read
     */
    public X509KeyManager keyManager() {
        try {
            return KeyManagers.of(Pem.privateKey(key), Pem.certificates(certificate));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the certificate of the server cannot be read: " + e.getMessage(), e);
        }
    }

    /** The key stays hidden. */
    @Override
    public String toString() {
        return "TlsIdentity[" + certificate.length() + " characters of certificate]";
    }
}
