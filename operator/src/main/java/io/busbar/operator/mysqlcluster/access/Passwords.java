package io.busbar.operator.mysqlcluster.access;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the passwords of a cluster, and makes up those that are missing. Secrets are read by name and not watched, so that the operator need not
 * see all Secrets of the cluster; what was read is kept for a minute. Any thread.
 */
public final class Passwords {

    /** In the generated Secret, and in a user's own. */
    public static final String ROOT_KEY = "root-password";

    static final String OPERATOR_KEY = "operator-password";
    static final String REPLICATION_KEY = "replication-password";

    private static final Duration VALID = Duration.ofMinutes(1);
    private static final int CONFLICT = 409;
    private static final int BYTES = 18;

    private final SecureRandom random = new SecureRandom();
    private final PerCluster<Known> known = new PerCluster<>();
    private final Clock clock;

    public Passwords(Clock clock) {
        this.clock = clock;
    }

    private record Known(Accounts accounts, Instant readAt) {}

    /**
     * @return empty when the user's own Secret, or the password in it, is not there
     */
    public Optional<Accounts> of(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        Optional<Accounts> last = known.of(cluster)
                .filter(one -> clock.instant().isBefore(one.readAt().plus(VALID)))
                .map(Known::accounts);
        if (last.isPresent()) {
            return last;
        }
        Optional<Accounts> read = read(cluster, context.client());
        read.ifPresent(accounts ->
                known.remember(cluster, new Known(accounts, clock.instant()), context.lister(MySQLCluster.class)));
        return read;
    }

    /** Reads them again next time, as after a login that was denied. */
    public void doubt(MySQLCluster cluster) {
        known.forget(cluster);
    }

    private Optional<Accounts> read(MySQLCluster cluster, KubernetesClient client) {
        Secret generated = generated(cluster, client);
        String rootSecret = new ClusterObjects(cluster).rootSecret();
        Secret forRoot = rootSecret.equals(generated.getMetadata().getName())
                ? generated
                : get(cluster, rootSecret, client).orElse(null);
        return value(forRoot, ROOT_KEY)
                .map(root -> new Accounts(
                        new Account("root", root),
                        new Account(
                                ClusterNames.OPERATOR,
                                value(generated, OPERATOR_KEY).orElseThrow()),
                        new Account(
                                ClusterNames.REPLICATION,
                                value(generated, REPLICATION_KEY).orElseThrow())));
    }

    private Secret generated(MySQLCluster cluster, KubernetesClient client) {
        String name = ClusterNames.auth(cluster.getMetadata().getName());
        Optional<Secret> there = get(cluster, name, client);
        if (there.isPresent()) {
            return there.get();
        }
        try {
            return client.resource(made(cluster, name)).create();
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != CONFLICT) {
                throw failure;
            }
            return get(cluster, name, client).orElseThrow(() -> failure);
        }
    }

    private static Optional<Secret> get(MySQLCluster cluster, String name, KubernetesClient client) {
        return Optional.ofNullable(client.secrets()
                .inNamespace(cluster.getMetadata().getNamespace())
                .withName(name)
                .get());
    }

    private Secret made(MySQLCluster cluster, String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(cluster.getMetadata().getNamespace())
                .withLabels(ClusterNames.labels(cluster.getMetadata().getName()))
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(cluster.getApiVersion())
                        .withKind(cluster.getKind())
                        .withName(cluster.getMetadata().getName())
                        .withUid(cluster.getMetadata().getUid())
                        .withController(true)
                        .withBlockOwnerDeletion(true)
                        .build())
                .endMetadata()
                .withStringData(Map.of(ROOT_KEY, password(), OPERATOR_KEY, password(), REPLICATION_KEY, password()))
                .build();
    }

    /** At most 32 characters, which is all that replication takes. */
    private String password() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Optional<String> value(@Nullable Secret secret, String key) {
        return Optional.ofNullable(secret)
                .map(Secret::getData)
                .map(data -> data.get(key))
                .filter(Objects::nonNull)
                .map(encoded -> new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8))
                .filter(text -> !text.isEmpty());
    }
}
