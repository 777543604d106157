package io.busbar.admission.certificates;

import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.internal.certificate.CertificateIssuer;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A CA and a serving certificate of our own, in a Secret that all replicas share.
 *
 * <p>Each read makes what is due (see {@link CertificateRenewal}) and writes it if nobody else has in the meantime:
 * among replicas the first writer wins and the others take over what it wrote. A Secret that was deleted comes back
 * with the same content, one that was spoilt is replaced by what was last good, or made anew.
 *
 * <p>One worker: blocks on the API server. Needs get, create and update on the Secret.
 */
public final class OwnCertificates implements CertificateSource {

    private static final Logger log = LoggerFactory.getLogger(OwnCertificates.class);
    private static final Duration INTERVAL = Duration.ofSeconds(60);
    private static final int ATTEMPTS = 10;

    private final KubernetesClient client;
    private final ObjectKey key;
    private final Secret blank;
    private final CertificateRenewal renewal;
    private final Clock clock;
    private @Nullable StoredCertificates lastGood;

    /**
     * @param secret may not exist yet; its namespace must
     * @param names DNS names and IP addresses that the API server reaches the webhooks by; see {@link #serviceNames}
     */
    public OwnCertificates(KubernetesClient client, ObjectKey secret, Collection<String> names) {
        this(client, secret, names, Clock.systemUTC());
    }

    OwnCertificates(KubernetesClient client, ObjectKey secret, Collection<String> names, Clock clock) {
        this(
                client,
                new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(secret.namespace())
                        .withName(secret.name())
                        .endMetadata()
                        .build(),
                new CertificateRenewal(new CertificateIssuer("busbar webhook"), names),
                clock);
    }

    /**
     * For servers of another kind, whose clients are told of a new CA some time before it counts.
     *
     * @param blank the Secret as it is made where there is none, but for its content; one that is there keeps its own
     *     labels and owners
     * @param issuer of what the certificates are for
     * @param names DNS names and IP addresses that the servers are reached by
     * @param overlap for how long a new CA is published before it signs, and the old one after it has signed last
     */
    public OwnCertificates(
            KubernetesClient client,
            Secret blank,
            String issuer,
            Collection<String> names,
            Duration overlap,
            Clock clock) {
        this(client, blank, new CertificateRenewal(new CertificateIssuer(issuer), names, overlap), clock);
    }

    private OwnCertificates(KubernetesClient client, Secret blank, CertificateRenewal renewal, Clock clock) {
        this.client = client;
        this.key = ObjectKey.of(blank);
        this.blank = blank;
        this.renewal = renewal;
        this.clock = clock;
    }

    /** The names of a Service within its cluster; API servers use the first. */
    public static List<String> serviceNames(ObjectKey service) {
        String name = service.name() + "." + service.namespace() + ".svc";
        return List.of(name, name + ".cluster.local");
    }

    @Override
    public Duration interval() {
        return INTERVAL;
    }

    @Override
    public ServingCertificate read() throws CertificateUnavailableException {
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                StoredCertificates stored = readOrWrite();
                if (stored != null) {
                    lastGood = stored;
                    return stored.toServe();
                }
            }
        } catch (KubernetesClientException e) {
            throw new CertificateUnavailableException("Secret " + key, ApiFailure.reason(e), e);
        }
        throw new CertificateUnavailableException("Secret " + key, "others keep changing it");
    }

    /** Null when another has written in between. */
    private @Nullable StoredCertificates readOrWrite() {
        Secret secret = client.secrets()
                .inNamespace(key.namespace())
                .withName(key.name())
                .get();
        StoredCertificates stored = secret == null ? null : decoded(secret);
        StoredCertificates wanted = renewal.next(stored == null ? lastGood : stored, clock.instant());
        if (wanted.equals(stored)) {
            return stored;
        }
        try {
            write(secret, wanted);
            log.atInfo()
                    .addKeyValue("secret", key)
                    .addKeyValue("expiry", wanted.serving().getNotAfter().toInstant())
                    .log("Wrote certificates");
            return wanted;
        } catch (KubernetesClientException e) {
            if (e.getCode() == 409 || (secret != null && e.getCode() == 404)) {
                return null;
            }
            throw e;
        }
    }

    private void write(@Nullable Secret existing, StoredCertificates content) {
        if (existing == null) {
            client.resource(content.in(blank)).create();
        } else if (!Objects.equals(existing.getType(), "kubernetes.io/tls")) {
            // A Secret's type cannot be changed.
            client.resource(content.in(existing)
                            .edit()
                            .withType(existing.getType())
                            .build())
                    .update();
        } else {
            client.resource(content.in(existing)).update();
        }
    }

    private @Nullable StoredCertificates decoded(Secret secret) {
        try {
            return StoredCertificates.of(secret);
        } catch (GeneralSecurityException e) {
            log.atWarn()
                    .addKeyValue("secret", key)
                    .addKeyValue("reason", e.getMessage())
                    .log("Replacing unusable certificates");
            return null;
        }
    }
}
