package io.busbar.operator.mysqlcluster.access;

import io.busbar.common.ObjectKey;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.objects.Exporter;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.objects.Retention;
import io.busbar.operator.mysqlcluster.observe.Access;
import io.busbar.operator.mysqlcluster.observe.RotationProgress.Stage;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.Application;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import io.busbar.reconciler.ClusterContext;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the passwords of a cluster, and makes up those that are missing. Secrets are read by name, and what was read is
 * kept for a minute. Any thread.
 */
public final class Passwords {

    private static final Logger log = LoggerFactory.getLogger(Passwords.class);

    /** In the generated Secret, and in a user's own. */
    public static final String ROOT_KEY = "root-password";

    /** What programs log in with: in the generated Secret. */
    public static final String APPLICATION_USER_KEY = "application-username";

    /** See {@link #APPLICATION_USER_KEY}. */
    public static final String APPLICATION_PASSWORD_KEY = "application-password";

    /** In a user's own Secret. */
    static final String USERNAME_KEY = "username";

    static final String PASSWORD_KEY = "password";

    static final String OPERATOR_KEY = "operator-password";
    static final String REPLICATION_KEY = "replication-password";

    /** No password, and never changed: what passwords of MySQLUsers are known again by. */
    static final String FINGERPRINT_KEY = "fingerprint-key";

    private static final Duration VALID = Duration.ofMinutes(1);
    private static final int CONFLICT = 409;
    private static final int BYTES = 18;

    /** Of what MySQL takes. */
    private static final int LONGEST_USER = 32;

    private static final Set<String> RESERVED = Set.of(
            "root",
            "mysql",
            "sys",
            "event_scheduler",
            ClusterNames.OPERATOR,
            ClusterNames.REPLICATION,
            ClusterNames.EXPORTER);

    private final SecureRandom random = new SecureRandom();
    private final PerCluster<Known> known = new PerCluster<>();
    private final PerCluster<String> refusals = new PerCluster<>();
    private final Clock clock;
    private final Clock steady;

    /**
     * @param clock that tells what time it is
     * @param steady by which it is counted how much time has passed: nobody sets it
     */
    public Passwords(Clock clock, Clock steady) {
        this.clock = clock;
        this.steady = steady;
    }

    /** What was read, under which policy the generated Secret was looked after, and whether for an exporter, too. */
    private record Known(Access access, Instant readAt, DeletionPolicy policy, boolean withExporter) {}

    /**
     * @return without root, or, where the cluster has no primary yet, empty when the user's own Secret, or the password
     *     in it, is not there; empty when there {@linkplain #refusal is one} in place of the generated Secret that is
     *     somebody else's
     */
    public Optional<Access> of(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        Optional<Access> last = known.of(cluster)
                .filter(one -> steady.instant().isBefore(one.readAt().plus(VALID)))
                .filter(one -> one.policy() == cluster.wanted().deletionPolicy())
                .filter(one -> one.withExporter() == Exporter.asked(cluster).isPresent())
                .map(Known::access);
        if (last.isPresent()) {
            return last;
        }
        Optional<Secret> generated = generated(cluster, context.client());
        refusals.forget(cluster);
        Optional<String> why = generated.flatMap(secret -> refusal(cluster, secret));
        if (why.isPresent()) {
            refusals.remember(cluster, why.get(), context.lister(MySQLCluster.class));
            return Optional.empty();
        }
        Optional<Access> read = generated.flatMap(
                secret -> read(cluster, completed(cluster, secret, context.client()), context.client()));
        read.filter(access -> access.accounts().root() != null
                        && access.accounts().application().isPresent())
                .ifPresent(access -> known.remember(
                        cluster,
                        new Known(
                                access,
                                steady.instant(),
                                cluster.wanted().deletionPolicy(),
                                access.accounts().exporter().isPresent()),
                        context.lister(MySQLCluster.class)));
        return read;
    }

    /**
     * Why the Secret that there is in place of the generated one was not taken, when passwords were last asked for;
     * empty if it was.
     */
    public Optional<String> refusal(MySQLCluster cluster) {
        return refusals.of(cluster);
    }

    private static Optional<String> refusal(MySQLCluster cluster, Secret secret) {
        String name = secret.getMetadata().getName();
        String cr = cluster.getMetadata().getName();
        if (!Retention.isOf(cluster, secret)) {
            return Optional.of("Secret " + name + " is there, and is not labelled " + ClusterNames.selector(cr)
                    + ": it is not taken for the passwords of this cluster; delete it, or label it if it is");
        }
        return Stream.of(ROOT_KEY, OPERATOR_KEY, REPLICATION_KEY)
                .filter(key -> value(secret, key).isEmpty())
                .findFirst()
                .map(key -> "Secret " + name + " has nothing under the key " + key
                        + ": put the password there, or, where there is no data yet, delete the Secret");
    }

    /** What helps where root's password is not there. */
    public static String rootProblem(MySQLCluster cluster) {
        return "Secret " + new ClusterObjects(cluster).rootSecret() + " with the key " + ROOT_KEY
                + " is not there: make it, or leave out spec.rootSecretRef";
    }

    /** Reads them again next time, as after a login that was denied. */
    public void doubt(MySQLCluster cluster) {
        known.forget(cluster);
    }

    /**
     * Takes the generated Secret to the next stage of a change; it stays as it is where it is not at the one before.
     * What was read of it counts no more.
     *
     * @param request what is answered by it
     * @param withApplication whether the password of programs is changed, too, if it was made up
     */
    public void rotate(
            MySQLCluster cluster, Stage to, String request, boolean withApplication, KubernetesClient client) {
        doubt(cluster);
        get(cluster, ClusterNames.auth(cluster.getMetadata().getName()), client)
                .filter(secret -> Retention.isOf(cluster, secret))
                .filter(secret -> SecretStages.progress(secret).stage().next() == to)
                .ifPresent(secret -> merge(
                        secret,
                        switch (to) {
                            case ANNOUNCED ->
                                SecretStages.announcing(
                                        secret, rotated(cluster, withApplication), request, this::password);
                            case TURNED -> SecretStages.turning(secret, clock.instant());
                            case ENDING -> SecretStages.ending(secret);
                            case SETTLED -> SecretStages.settling(secret);
                        },
                        client));
    }

    /** A user's own are for the user to change. */
    private static List<String> rotated(MySQLCluster cluster, boolean withApplication) {
        List<String> keys = new ArrayList<>(List.of(OPERATOR_KEY, REPLICATION_KEY));
        if (cluster.wanted().rootSecretRef() == null) {
            keys.add(ROOT_KEY);
        }
        if (Exporter.asked(cluster).isPresent()) {
            keys.add(Exporter.PASSWORD_KEY);
        }
        if (withApplication && cluster.wanted().auth().applicationSecretRef() == null) {
            keys.add(APPLICATION_PASSWORD_KEY);
        }
        return keys;
    }

    private static Secret merge(Secret secret, Map<String, Object> patch, KubernetesClient client) {
        return client.resource(secret).patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(patch));
    }

    private static Optional<Access> read(MySQLCluster cluster, Secret generated, KubernetesClient client) {
        String rootSecret = new ClusterObjects(cluster).rootSecret();
        Secret forRoot = rootSecret.equals(generated.getMetadata().getName())
                ? generated
                : get(cluster, rootSecret, client).orElse(null);
        boolean ownsRoot = Objects.equals(forRoot, generated);
        Optional<Account> known = value(forRoot, ROOT_KEY)
                .map(password -> new Account(
                        "root",
                        password,
                        ownsRoot ? SecretStages.other(generated, ROOT_KEY).orElse(null) : null));
        // The servers of a cluster that runs know the operator, and need root no more.
        boolean isRunning = cluster.told().currentPrimary() != null;
        return known.isEmpty() && !isRunning
                ? Optional.empty()
                : Optional.of(new Access(
                        new Accounts(
                                known.orElse(null),
                                own(generated, ClusterNames.OPERATOR, OPERATOR_KEY),
                                own(generated, ClusterNames.REPLICATION, REPLICATION_KEY),
                                application(cluster, generated, client)
                                        .map(account -> new Application(
                                                account, cluster.wanted().auth().database())),
                                Exporter.asked(cluster)
                                        .map(asked -> own(generated, ClusterNames.EXPORTER, Exporter.PASSWORD_KEY)),
                                ownsRoot),
                        SecretStages.former(generated)
                                .map(password -> new Account(ClusterNames.OPERATOR, password))
                                .toList(),
                        SecretStages.progress(generated)));
    }

    private static Account own(Secret generated, String user, String key) {
        return new Account(
                user,
                value(generated, key).orElseThrow(),
                SecretStages.other(generated, key).orElse(null));
    }

    private static Optional<Account> application(MySQLCluster cluster, Secret generated, KubernetesClient client) {
        SecretRef own = cluster.wanted().auth().applicationSecretRef();
        if (own == null) {
            return account(generated, APPLICATION_USER_KEY, APPLICATION_PASSWORD_KEY)
                    .map(account -> own(generated, account.user(), APPLICATION_PASSWORD_KEY));
        }
        return get(cluster, own.name(), client)
                .flatMap(secret -> account(secret, USERNAME_KEY, PASSWORD_KEY))
                .filter(account -> !isReserved(account.user()) && account.user().length() <= LONGEST_USER);
    }

    private static Optional<Account> account(Secret secret, String userKey, String passwordKey) {
        return value(secret, userKey)
                .flatMap(user -> value(secret, passwordKey).map(password -> new Account(user, password)));
    }

    /** The operator's own account, as its Secret has it now; empty where there is none that is of this cluster. */
    public static Optional<Account> operator(MySQLCluster cluster, ClusterContext context) {
        return fetched(cluster, ClusterNames.auth(cluster.getMetadata().getName()), context)
                .filter(secret -> Retention.isOf(cluster, secret))
                .flatMap(secret -> value(secret, OPERATOR_KEY))
                .map(password -> new Account(ClusterNames.OPERATOR, password));
    }

    /** By which passwords are known again without being kept; empty where the Secret is not of this cluster. */
    public static Optional<String> fingerprintKey(MySQLCluster cluster, ClusterContext context) {
        return fetched(cluster, ClusterNames.auth(cluster.getMetadata().getName()), context)
                .filter(secret -> Retention.isOf(cluster, secret))
                .flatMap(secret -> value(secret, FINGERPRINT_KEY).or(() -> value(secret, OPERATOR_KEY)));
    }

    /** Who programs are that the cluster itself looks after; empty while nobody has said so. */
    public static Optional<String> applicationUser(MySQLCluster cluster, ClusterContext context) {
        SecretRef own = cluster.wanted().auth().applicationSecretRef();
        String name = own == null ? ClusterNames.auth(cluster.getMetadata().getName()) : own.name();
        return fetched(cluster, name, context)
                .flatMap(secret -> value(secret, own == null ? APPLICATION_USER_KEY : USERNAME_KEY));
    }

    private static Optional<Secret> fetched(MySQLCluster cluster, String name, ClusterContext context) {
        return context.fetched(Secret.class, ObjectKey.of(cluster.getMetadata().getNamespace(), name));
    }

    /**
     * Accounts of the server, of its image, and of the operator; {@code mysql.sys} and its like are named after no
     * database of users.
     */
    public static boolean isReserved(String user) {
        String name = user.toLowerCase(Locale.ROOT);
        return RESERVED.contains(name) || name.startsWith("mysql.") || name.startsWith("mariadb.");
    }

    /** Why there is no account for programs, and what helps. */
    static String applicationProblem(MySQLCluster cluster) {
        SecretRef own = cluster.wanted().auth().applicationSecretRef();
        String name = own == null ? ClusterNames.auth(cluster.getMetadata().getName()) : own.name();
        return "Secret " + name + " does not say what programs log in with: it needs the keys "
                + (own == null ? APPLICATION_USER_KEY : USERNAME_KEY) + ", of at most " + LONGEST_USER
                + " characters and not an account of the server's or the operator's own such as root, and "
                + (own == null ? APPLICATION_PASSWORD_KEY : PASSWORD_KEY);
    }

    /** Made if there is none; one that outlived a cluster of this name has the passwords of its volumes. */
    private Optional<Secret> generated(MySQLCluster cluster, KubernetesClient client) {
        String name = ClusterNames.auth(cluster.getMetadata().getName());
        Optional<Secret> there = get(cluster, name, client);
        if (there.isPresent()) {
            return Optional.of(kept(cluster, there.get(), client));
        }
        try {
            return Optional.of(client.resource(made(cluster, name)).create());
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != CONFLICT) {
                throw failure;
            }
            return get(cluster, name, client);
        }
    }

    /** Where that is refused, the passwords are of use all the same, and it is tried again when they are read next. */
    private static Secret kept(MySQLCluster cluster, Secret secret, KubernetesClient client) {
        if (!Retention.isOf(cluster, secret)) {
            return secret;
        }
        try {
            return Retention.apply(cluster, secret, client).orElse(secret);
        } catch (KubernetesClientException refused) {
            log.atWarn()
                    .addKeyValue("secret", secret.getMetadata().getName())
                    .setCause(refused)
                    .log("the passwords do not follow spec.deletionPolicy yet");
            return secret;
        }
    }

    /**
     * One that an earlier operator has made knows no account for programs, and has no key for fingerprints, which were
     * made by the operator's password then. One whose cluster had no exporter knows no account for that. Passwords that
     * are there stay as they are; what the exporter reads has the one of now.
     */
    private Secret completed(MySQLCluster cluster, Secret secret, KubernetesClient client) {
        Map<String, String> missing = new TreeMap<>();
        if (Exporter.asked(cluster).isPresent()) {
            String password = value(secret, Exporter.PASSWORD_KEY).orElseGet(this::password);
            missing.put(Exporter.PASSWORD_KEY, password);
            missing.putAll(Exporter.files(password));
            missing.entrySet().removeIf(entry -> value(secret, entry.getKey()).equals(Optional.of(entry.getValue())));
        }
        if (value(secret, APPLICATION_USER_KEY).isEmpty()) {
            missing.put(APPLICATION_USER_KEY, ClusterNames.APPLICATION);
        }
        if (value(secret, APPLICATION_PASSWORD_KEY).isEmpty()) {
            missing.put(APPLICATION_PASSWORD_KEY, password());
        }
        if (value(secret, FINGERPRINT_KEY).isEmpty()) {
            missing.put(FINGERPRINT_KEY, value(secret, OPERATOR_KEY).orElseGet(this::password));
        }
        if (missing.isEmpty()) {
            return secret;
        }
        Map<String, Object> patch = Map.of(
                "metadata",
                Map.of("resourceVersion", secret.getMetadata().getResourceVersion()),
                "stringData",
                missing);
        return merge(secret, patch, client);
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
                .withAnnotations(SecretStages.begun(
                        ClusterKeys.ROTATE_PASSWORDS.of(cluster).orElse(""), clock.instant()))
                .withOwnerReferences(Retention.references(cluster, List.of()))
                .endMetadata()
                .withStringData(Map.of(
                        ROOT_KEY,
                        password(),
                        OPERATOR_KEY,
                        password(),
                        REPLICATION_KEY,
                        password(),
                        APPLICATION_USER_KEY,
                        ClusterNames.APPLICATION,
                        APPLICATION_PASSWORD_KEY,
                        password(),
                        FINGERPRINT_KEY,
                        password()))
                .build();
    }

    /** At most 32 characters, which is all that replication takes. */
    private String password() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** As text; empty where there is nothing under the key. */
    public static Optional<String> value(@Nullable Secret secret, String key) {
        return Optional.ofNullable(secret)
                .map(Secret::getData)
                .map(data -> data.get(key))
                .filter(Objects::nonNull)
                .map(encoded -> new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8))
                .filter(text -> !text.isEmpty());
    }
}
