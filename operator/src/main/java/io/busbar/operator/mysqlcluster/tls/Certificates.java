package io.busbar.operator.mysqlcluster.tls;

import io.busbar.admission.certificates.CertificateUnavailableException;
import io.busbar.admission.certificates.OwnCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.internal.certificate.Pem;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.objects.Retention;
import io.busbar.operator.mysqlcluster.observe.Obstacle;
import io.busbar.operator.mysqlcluster.sql.ClusterCertificate;
import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.IssuerRef;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.TlsSpec;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the certificate of a cluster's servers, and has it made and renewed. Secrets are read by name, and what was read
 * is kept for a minute. Any thread, one at a time for each cluster; blocks as requests do.
 */
public final class Certificates {

    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final Duration VALID = Duration.ofMinutes(1);

    /** Until it is looked again for what was not there. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    /** By when programs, too, have been started again with the new CA. */
    private static final Duration OVERLAP = Duration.ofDays(30);

    private final CertificateRequests requests = new CertificateRequests();
    private final PerCluster<Known> known = new PerCluster<>();
    private final PerCluster<OwnCertificates> own = new PerCluster<>();
    private final PerCluster<Missing> missing = new PerCluster<>();
    private final Clock clock;
    private final Clock steady;

    /**
     * @param clock that tells what time it is
     * @param steady by which it is counted how much time has passed
     */
    public Certificates(Clock clock, Clock steady) {
        this.clock = clock;
        this.steady = steady;
    }

    /**
     * @param former CAs that are not in use any more, of certificates that servers may still show
     * @param asked for what it was read
     */
    private record Known(
            ClusterCertificate certificate,
            Set<X509Certificate> former,
            TlsSpec asked,
            DeletionPolicy policy,
            Instant readAt) {

        ClusterCertificate believed() {
            Set<X509Certificate> all = new LinkedHashSet<>(certificate.authorities());
            all.addAll(former);
            return new ClusterCertificate(List.copyOf(all), certificate.serving());
        }
    }

    private record Missing(Obstacle obstacle, TlsSpec asked, Instant at) {}

    /**
     * @return empty where there is {@linkplain #obstacle none} yet; while it cannot be read, what it was
     */
    public Optional<ClusterCertificate> of(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        TlsSpec asked = cluster.wanted().tls();
        DeletionPolicy policy = cluster.wanted().deletionPolicy();
        Optional<Known> before = known.of(cluster);
        if (before.filter(one -> one.asked().equals(asked) && one.policy() == policy)
                .filter(one -> steady.instant().isBefore(one.readAt().plus(VALID)))
                .isPresent()) {
            return before.map(Known::believed);
        }
        if (missing.of(cluster)
                .filter(one -> one.asked().equals(asked))
                .filter(one -> steady.instant().isBefore(one.at().plus(PAUSE)))
                .isPresent()) {
            return before.map(Known::believed);
        }
        try {
            List<X509Certificate> believed = before.isPresent()
                    ? before.get().believed().authorities()
                    : publishedBefore(cluster, context.client());
            ClusterCertificate now = read(cluster, believed, context);
            Set<X509Certificate> former = new LinkedHashSet<>(believed);
            now.authorities().forEach(former::remove);
            Known next = new Known(now, former, asked, policy, steady.instant());
            known.remember(cluster, next, context.lister(MySQLCluster.class));
            missing.forget(cluster);
            return Optional.of(next.believed());
        } catch (NoCertificate why) {
            missing.remember(
                    cluster, new Missing(why.obstacle(), asked, steady.instant()), context.lister(MySQLCluster.class));
            return before.map(Known::believed);
        }
    }

    /** Why the certificate could not be read, when it was last; empty if it could. */
    public Optional<Obstacle> obstacle(MySQLCluster cluster) {
        return missing.of(cluster).map(Missing::obstacle);
    }

    /** All servers show the newest certificate: what came before is not believed any more. */
    public void settle(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        known.of(cluster)
                .filter(one -> !one.former().isEmpty())
                .ifPresent(one -> known.remember(
                        cluster,
                        new Known(one.certificate(), Set.of(), one.asked(), one.policy(), one.readAt()),
                        context.lister(MySQLCluster.class)));
    }

    /** Of the Secret that programs mount: the CAs in it; empty where there are none that can be read. */
    public static List<X509Certificate> authorities(@Nullable Secret secret) {
        return authorities(Passwords.value(secret, Encryption.AUTHORITIES).orElse(""));
    }

    private static List<X509Certificate> authorities(String pem) {
        try {
            return Pem.certificates(pem);
        } catch (GeneralSecurityException unreadable) {
            return List.of();
        }
    }

    /** @param believed so far, also by an operator before this one */
    private ClusterCertificate read(
            MySQLCluster cluster, List<X509Certificate> believed, ReconcileContext<MySQLCluster> context)
            throws NoCertificate {
        TlsSpec asked = cluster.wanted().tls();
        IssuerRef issuer = asked.issuerRef();
        if (!asked.encrypts()) {
            // Members that still have one are about to be restarted without.
            return decoded(cluster, secret(cluster, context.client()).orElse(null));
        }
        try {
            if (issuer != null) {
                requests.request(cluster, issuer, context.client());
                Optional<Secret> issued = secret(cluster, context.client());
                if (issued.isEmpty()) {
                    throw new NoCertificate(
                            ClusterReasons.CERTIFICATE_AWAITED, requests.state(cluster, context.client()));
                }
                return decoded(cluster, kept(cluster, issued.get(), context.client()));
            }
            return published(cluster, made(cluster, context), believed, context.client());
        } catch (KubernetesClientException failure) {
            throw unreadable(cluster, failure);
        }
    }

    private ServingCertificate made(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) throws NoCertificate {
        String name = ClusterNames.authority(cluster.getMetadata().getName());
        Optional<Secret> there = get(cluster, name, context.client());
        if (there.isPresent()) {
            kept(cluster, there.get(), context.client());
        }
        OwnCertificates certificates = own.of(cluster).orElseGet(() -> {
            OwnCertificates first = new OwnCertificates(
                    context.client(),
                    blank(cluster, name),
                    "busbar mysqlcluster",
                    new ClusterObjects(cluster).hosts(),
                    OVERLAP,
                    clock);
            own.remember(cluster, first, context.lister(MySQLCluster.class));
            return first;
        });
        try {
            return certificates.read();
        } catch (CertificateUnavailableException unavailable) {
            throw unusable(String.valueOf(unavailable.getMessage()));
        }
    }

    /** By an operator before this one. */
    private static List<X509Certificate> publishedBefore(MySQLCluster cluster, KubernetesClient client)
            throws NoCertificate {
        try {
            return authorities(secret(cluster, client).orElse(null));
        } catch (KubernetesClientException failure) {
            throw unreadable(cluster, failure);
        }
    }

    /**
     * Without the key of the CA, and with those that are believed besides: where somebody has replaced the CA, or lost
     * it, servers show a certificate of the one before until they have loaded the new one.
     */
    private ClusterCertificate published(
            MySQLCluster cluster, ServingCertificate made, List<X509Certificate> believed, KubernetesClient client)
            throws NoCertificate {
        List<X509Certificate> inUse = authorities(made.caBundle());
        Set<X509Certificate> all = new LinkedHashSet<>(inUse);
        all.addAll(believed);
        Map<String, String> data = Map.of(
                Encryption.AUTHORITIES,
                encoded(Pem.write(List.copyOf(all))),
                CERTIFICATE,
                encoded(made.chainPem()),
                KEY,
                encoded(made.keyPem()));
        Optional<Secret> there = secret(cluster, client);
        Secret published;
        if (there.isEmpty()) {
            published = client.resource(new SecretBuilder(blank(cluster, name(cluster)))
                            .withType("kubernetes.io/tls")
                            .withData(data)
                            .build())
                    .create();
        } else {
            Secret before = requests.withdraw(cluster, kept(cluster, there.get(), client), client);
            published = data.equals(before.getData())
                    ? before
                    : client.resource(before)
                            .patch(
                                    PatchContext.of(PatchType.JSON_MERGE),
                                    Serialization.asJson(Map.of(
                                            "metadata",
                                            Map.of(
                                                    "resourceVersion",
                                                    before.getMetadata().getResourceVersion()),
                                            "data",
                                            data)));
        }
        return new ClusterCertificate(inUse, decoded(cluster, published).serving());
    }

    /** With the references that the policy asks for. */
    private static Secret kept(MySQLCluster cluster, Secret secret, KubernetesClient client) throws NoCertificate {
        if (!Retention.isOf(cluster, secret)) {
            throw unusable("Secret " + secret.getMetadata().getName() + " is there, and is not labelled "
                    + ClusterNames.selector(cluster.getMetadata().getName())
                    + ": it is not taken for that of this cluster; delete it, or label it if it is");
        }
        return Retention.apply(cluster, secret, client).orElse(secret);
    }

    private static ClusterCertificate decoded(MySQLCluster cluster, @Nullable Secret secret) throws NoCertificate {
        try {
            ServingCertificate serving = ServingCertificate.of(
                    Passwords.value(secret, CERTIFICATE).orElse(""),
                    Passwords.value(secret, KEY).orElse(""),
                    Passwords.value(secret, Encryption.AUTHORITIES).orElse(""));
            List<X509Certificate> authorities = authorities(secret);
            if (authorities.isEmpty()) {
                throw unusable("Secret " + name(cluster) + " has no " + Encryption.AUTHORITIES
                        + ": servers can be verified only with an issuer that tells its CA");
            }
            return new ClusterCertificate(authorities, serving.chain().get(0));
        } catch (GeneralSecurityException unreadable) {
            throw unusable("Secret " + name(cluster) + " cannot be read: " + unreadable.getMessage());
        }
    }

    private static NoCertificate unreadable(MySQLCluster cluster, KubernetesClientException failure) {
        return unusable("Secret " + name(cluster) + ": " + ApiFailure.reason(failure));
    }

    private static NoCertificate unusable(String message) {
        return new NoCertificate(ClusterReasons.CERTIFICATE_UNUSABLE, message);
    }

    private static Secret blank(MySQLCluster cluster, String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(cluster.getMetadata().getNamespace())
                .withLabels(ClusterNames.labels(cluster.getMetadata().getName()))
                .withOwnerReferences(Retention.references(cluster, List.of()))
                .endMetadata()
                .build();
    }

    private static Optional<Secret> secret(MySQLCluster cluster, KubernetesClient client) {
        return get(cluster, name(cluster), client);
    }

    private static Optional<Secret> get(MySQLCluster cluster, String name, KubernetesClient client) {
        return Optional.ofNullable(client.secrets()
                .inNamespace(cluster.getMetadata().getNamespace())
                .withName(name)
                .get());
    }

    private static String name(MySQLCluster cluster) {
        return ClusterNames.tls(cluster.getMetadata().getName());
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
