package io.busbar.admission.certificates;

import io.busbar.common.internal.certificate.KeyManagers;
import io.busbar.common.internal.certificate.Pem;
import io.busbar.common.internal.certificate.TrustManagers;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * What the server shows in the TLS handshake, what clients need to trust it, and which clients it trusts.
 *
 * <p>Immutable. Never logged: it holds a key.
 *
 * @param chain the server's own certificate first
 * @param key fits the first certificate
 * @param caBundle certificates in PEM form that API servers should trust; empty where somebody else takes care of that
 * @param clientAuthorities CAs of clients that are answered; empty for all clients, with a certificate or without
 */
public record ServingCertificate(
        List<X509Certificate> chain, PrivateKey key, String caBundle, List<X509Certificate> clientAuthorities) {

    private static final byte[] PROBE = {1, 2, 3};

    public ServingCertificate {
        chain = List.copyOf(chain);
        clientAuthorities = List.copyOf(clientAuthorities);
    }

    /** For all clients. */
    public ServingCertificate(List<X509Certificate> chain, PrivateKey key, String caBundle) {
        this(chain, key, caBundle, List.of());
    }

    /** The same for clients of these CAs alone. */
    public ServingCertificate toClientsOf(List<X509Certificate> authorities) {
        return new ServingCertificate(chain, key, caBundle, authorities);
    }

    /**
     * From PEM texts.
     *
     * @throws GeneralSecurityException when one cannot be read, or the key is not that of the certificate
     */
    public static ServingCertificate of(String chain, String key, String caBundle) throws GeneralSecurityException {
        ServingCertificate result = new ServingCertificate(Pem.certificates(chain), Pem.privateKey(key), caBundle);
        if (!fits(result.key, result.chain.get(0).getPublicKey())) {
            throw new SignatureException("the private key does not fit the certificate");
        }
        return result;
    }

    /** When clients will begin to refuse it. */
    public Instant expiry() {
        return chain.get(0).getNotAfter().toInstant();
    }

    public String chainPem() {
        return Pem.write(chain);
    }

    /** PKCS#8. */
    public String keyPem() {
        return Pem.write(key);
    }

    /** For a server of Vert.x. */
    public KeyCertOptions keyCertOptions() {
        return KeyCertOptions.wrap(KeyManagers.of(key, chain));
    }

    /** For a server of Vert.x that verifies clients. */
    public TrustOptions trustOptions() {
        return TrustOptions.wrap(TrustManagers.of(clientAuthorities));
    }

    /** Whether a handshake with the one is like a handshake with the other. */
    public boolean servesAs(ServingCertificate other) {
        return chain.equals(other.chain) && key.equals(other.key) && clientAuthorities.equals(other.clientAuthorities);
    }

    /** The key stays hidden. */
    @Override
    public String toString() {
        return "ServingCertificate[" + chain.get(0).getSubjectX500Principal() + ", until " + expiry() + "]";
    }

    static boolean fits(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
            return false;
        }
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(PROBE);
        byte[] signature = signing.sign();
        Signature verifying = Signature.getInstance(algorithm);
        verifying.initVerify(certified);
        verifying.update(PROBE);
        try {
            return verifying.verify(signature);
        } catch (SignatureException e) {
            return false;
        }
    }
}
