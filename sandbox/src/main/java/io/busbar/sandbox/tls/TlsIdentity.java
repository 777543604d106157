package io.busbar.sandbox.tls;

import io.busbar.common.internal.certificate.CertificateIssuer;
import io.busbar.common.internal.certificate.IpAddresses;
import io.busbar.common.internal.certificate.KeyManagers;
import io.busbar.common.internal.certificate.Pem;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.X509KeyManager;

/**
 * Who the server is, and whom clients have to trust for it.
 *
 * <p>Immutable.
 *
 * @param authority the CA's certificate, in PEM
 * @param authorityKey the CA's key, in PEM, for another certificate when the server gets another name
 * @param certificate the server's, in PEM
 * @param key of the server's certificate, in PEM
 */
public record TlsIdentity(String authority, String authorityKey, String certificate, String key) {

    private static final Duration LIFE = Duration.ofDays(3650);
    private static final CertificateIssuer ISSUER = new CertificateIssuer("busbar sandbox");

    /** What each server is called. */
    private static final List<String> EVERYWHERE = List.of(
            "localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc", "127.0.0.1", "::1", "10.96.0.1");

    /** Makes a CA, and a certificate for hosts, each a name or an address. Takes some time: not for an event loop. */
    public static TlsIdentity make(Collection<String> hosts) {
        Instant now = Instant.now();
        KeyPair authorityKeys = ISSUER.newKeys();
        X509Certificate authority = ISSUER.authority(authorityKeys, now, LIFE);
        KeyPair keys = ISSUER.newKeys();
        X509Certificate server = serving(hosts, keys.getPublic(), authority, authorityKeys.getPrivate());
        return new TlsIdentity(
                Pem.write(List.of(authority)),
                Pem.write(authorityKeys.getPrivate()),
                Pem.write(List.of(server)),
                Pem.write(keys.getPrivate()));
    }

    /**
     * This, if its certificate holds for the hosts, or else with one that does, of the same CA, so that those who trust
     * it need not be told.
     *
     * @throws IllegalStateException when this was not made here and cannot be read
     */
    public TlsIdentity holdingFor(Collection<String> hosts) {
        try {
            X509Certificate server = Pem.certificates(certificate).get(0);
            if (CertificateIssuer.names(server)
                    .containsAll(hosts.stream().map(IpAddresses::canonical).toList())) {
                return this;
            }
            X509Certificate other = serving(
                    hosts, server.getPublicKey(), Pem.certificates(authority).get(0), Pem.privateKey(authorityKey));
            return new TlsIdentity(authority, authorityKey, Pem.write(List.of(other)), key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the certificate of the server cannot be renewed: " + e.getMessage(), e);
        }
    }

    private static X509Certificate serving(
            Collection<String> hosts, PublicKey key, X509Certificate authority, PrivateKey authorityKey) {
        List<String> names =
                Stream.concat(EVERYWHERE.stream(), hosts.stream()).distinct().toList();
        return ISSUER.serving(names, key, authority, authorityKey, Instant.now(), LIFE);
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

    /** The keys stay hidden. */
    @Override
    public String toString() {
        return "TlsIdentity[" + certificate.length() + " characters of certificate]";
    }
}
