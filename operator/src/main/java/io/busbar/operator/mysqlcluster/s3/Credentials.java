package io.busbar.operator.mysqlcluster.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * Who asks S3, and whose certificates are trusted. Not a record: it must not print itself.
 *
 * <p>Immutable.
 */
final class Credentials {

    private final String accessKeyId;
    private final String secretAccessKey;
    private final Optional<String> authorities;

    Credentials(String accessKeyId, String secretAccessKey, Optional<String> authorities) {
        this.accessKeyId = accessKeyId;
        this.secretAccessKey = secretAccessKey;
        this.authorities = authorities;
    }

    /**
     * @param variables of the environment
     * @param ownCa whether the server is vouched for by authorities that are there, too
     * @throws S3Failure when there are none
     */
    static Credentials of(Map<String, String> variables, boolean ownCa) {
        return new Credentials(
                required(variables, "AWS_ACCESS_KEY_ID", "credentialsSecretRef"),
                required(variables, "AWS_SECRET_ACCESS_KEY", "credentialsSecretRef"),
                ownCa ? Optional.of(required(variables, "S3_CA", "caSecretRef")) : Optional.empty());
    }

    private static String required(Map<String, String> variables, String name, String from) {
        // Files that Secrets are made from often end with a line break.
        String value = variables.getOrDefault(name, "").strip();
        if (value.isEmpty()) {
            throw new S3Failure(
                    "the variable " + name + " is empty: the Secret of " + from + " is missing, or its key");
        }
        return value;
    }

    String accessKeyId() {
        return accessKeyId;
    }

    String secretAccessKey() {
        return secretAccessKey;
    }

    /**
     * Trust the given authorities only; empty for those of the Java runtime.
     *
     * @throws S3Failure when they are no certificates in PEM
     */
    Optional<TrustManager[]> trust() {
        return authorities.map(Credentials::trust);
    }

    private static TrustManager[] trust(String pem) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
            if (number == 0) {
                throw new S3Failure("ca.crt of caSecretRef has no certificate in PEM");
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException | IOException unreadable) {
            throw new S3Failure("ca.crt of caSecretRef has no certificate in PEM: " + unreadable.getMessage());
        }
    }
}
