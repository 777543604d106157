package io.busbar.admission.certificates;

import io.busbar.common.internal.certificate.Pem;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * What the replicas share through a Secret.
 *
 * <p>Immutable. Never logged: it holds keys.
 *
 * @param authorities what API servers should trust; the first signs new certificates, the others are on their way out
 * @param authorityKey of the first authority
 * @param serving signed by one of the authorities
 */
record StoredCertificates(
        List<X509Certificate> authorities, PrivateKey authorityKey, X509Certificate serving, PrivateKey servingKey) {

    private static final String TYPE = "kubernetes.io/tls";

    StoredCertificates {
        authorities = List.copyOf(authorities);
    }

    /**
     * @throws GeneralSecurityException when a part is missing or unreadable, or the parts do not fit each other
     */
    static StoredCertificates of(Secret secret) throws GeneralSecurityException {
        StoredCertificates stored = new StoredCertificates(
                Pem.certificates(text(secret, "ca.crt")),
                Pem.privateKey(text(secret, "ca.key")),
                Pem.certificates(text(secret, "tls.crt")).get(0),
                Pem.privateKey(text(secret, "tls.key")));
        if (!ServingCertificate.fits(stored.authorityKey, stored.authority().getPublicKey())) {
            throw new KeyException("ca.key does not fit ca.crt");
        }
        if (!ServingCertificate.fits(stored.servingKey, stored.serving.getPublicKey())) {
            throw new KeyException("tls.key does not fit tls.crt");
        }
        return stored;
    }

    /** The secret with this for its content. */
    Secret in(Secret secret) {
        return new SecretBuilder(secret)
                .withType(TYPE)
                .withStringData(null)
                .withData(Map.of(
                        "ca.crt", encoded(Pem.write(authorities)),
                        "ca.key", encoded(Pem.write(authorityKey)),
                        "tls.crt", encoded(Pem.write(List.of(serving))),
                        "tls.key", encoded(Pem.write(servingKey))))
                .build();
    }

    X509Certificate authority() {
        return authorities.get(0);
    }

    ServingCertificate toServe() {
        return new ServingCertificate(List.of(serving), servingKey, Pem.write(authorities));
    }

    @Override
    public String toString() {
        return "StoredCertificates[" + serving.getSerialNumber() + " by "
                + authority().getSubjectX500Principal() + "]";
    }

    private static String text(Secret secret, String entry) throws GeneralSecurityException {
        String value = secret.getData() == null ? null : secret.getData().get(entry);
        if (value == null || value.isEmpty()) {
            throw new KeyException("has no " + entry);
        }
        try {
            return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new KeyException(entry + " is not base64", e);
        }
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
