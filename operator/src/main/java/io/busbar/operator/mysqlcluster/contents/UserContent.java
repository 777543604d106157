package io.busbar.operator.mysqlcluster.contents;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.sql.AccountName;
import io.busbar.operator.mysqlcluster.sql.Contents;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.DeletionPolicy;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLUser;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretKeyRef;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * An account. One that is there already gets the password of the Secret; its rights are for MySQLGrants to say. Any
 * thread.
 */
final class UserContent implements Content<MySQLUser> {

    /** Files accounts under their cluster and name. */
    static final Index<MySQLUser> BY_NAME = new Index<>("mysqluser.name", user -> List.of(value(user)));

    /** Files accounts under their Secret. */
    static final Index<MySQLUser> BY_SECRET =
            new Index<>("mysqluser.secret", user -> List.of(secret(user).toString()));

    private static final int LONGEST_OF_MYSQL = 32;

    private final Clock clock;

    UserContent(Clock clock) {
        this.clock = clock;
    }

    private static String value(MySQLUser user) {
        return Namesakes.value(
                user, user.getSpec().clusterRef().name(), user.getSpec().host(), user.userName());
    }

    private static ObjectKey secret(MySQLUser user) {
        return ObjectKey.of(
                user.getMetadata().getNamespace(),
                user.getSpec().passwordSecretKeyRef().name());
    }

    @Override
    public String cluster(MySQLUser user) {
        return user.getSpec().clusterRef().name();
    }

    @Override
    public Index<MySQLUser> byName() {
        return BY_NAME;
    }

    @Override
    public String nameOf(MySQLUser user) {
        return value(user);
    }

    @Override
    public List<Condition> conditions(MySQLUser user) {
        return user.told().conditions();
    }

    @Override
    public MySQLUser with(MySQLUser user, List<Condition> conditions) {
        return user.with(user.told().with(conditions));
    }

    @Override
    public Applied<MySQLUser> apply(MySQLUser user, Contents contents, ReconcileContext<MySQLUser> context)
            throws SqlFailure, Unready, InterruptedException {
        AccountName name = Namesakes.account(user);
        requireFree(user, name, context);
        requireShort(name, contents.flavor());
        return new UserTurn(user, password(user, context), fingerprint(user, context), contents, context, clock).take();
    }

    private void requireFree(MySQLUser user, AccountName name, ReconcileContext<MySQLUser> context) throws Unready {
        Optional<MySQLUser> elder = Namesakes.elder(user, this, context);
        if (elder.isPresent()) {
            throw new Unready(
                    ContentReasons.TAKEN,
                    "MySQLUser " + elder.get().getMetadata().getName() + " is older, and stands for this account");
        }
        if (isOfCluster(name, mysqlCluster(user, context), context)) {
            throw new Unready(
                    ContentReasons.TAKEN,
                    "MySQLCluster " + cluster(user) + " itself looks after this account, as that of its spec.auth");
        }
    }

    private static boolean isOfCluster(AccountName name, MySQLCluster cluster, ReconcileContext<MySQLUser> context) {
        return name.host().equals(AccountName.ANYWHERE)
                && Passwords.applicationUser(cluster, context)
                        .filter(name.user()::equals)
                        .isPresent();
    }

    private static void requireShort(AccountName name, Flavor flavor) throws Unready {
        int length = name.user().codePointCount(0, name.user().length());
        if (flavor == Flavor.MYSQL && length > LONGEST_OF_MYSQL) {
            throw new Unready(
                    ContentReasons.REFUSED,
                    "the name has " + length + " characters: MySQL takes no more than " + LONGEST_OF_MYSQL);
        }
    }

    private static String password(MySQLUser user, ReconcileContext<MySQLUser> context) throws Unready {
        SecretKeyRef ref = user.getSpec().passwordSecretKeyRef();
        return context.fetched(Secret.class, secret(user))
                .flatMap(secret -> Passwords.value(secret, ref.key()))
                .orElseThrow(() -> new Unready(
                        ContentReasons.PASSWORD_MISSING,
                        "waiting for Secret " + ref.name() + " to have a password under the key " + ref.key()));
    }

    private Optional<MySQLCluster> found(MySQLUser user, ReconcileContext<MySQLUser> context) {
        return context.lister(MySQLCluster.class).get(Namesakes.cluster(user, cluster(user)));
    }

    private MySQLCluster mysqlCluster(MySQLUser user, ReconcileContext<MySQLUser> context) throws Unready {
        return found(user, context)
                .orElseThrow(() -> new Unready(
                        ContentReasons.CLUSTER_MISSING, "MySQLCluster " + cluster(user) + " has gone meanwhile"));
    }

    private Fingerprint fingerprint(MySQLUser user, ReconcileContext<MySQLUser> context) throws Unready {
        return Passwords.fingerprintKey(mysqlCluster(user, context), context)
                .map(Fingerprint::new)
                .orElseThrow(() ->
                        new Unready(ContentReasons.NO_PRIMARY, "the passwords of the operator have gone meanwhile"));
    }

    @Override
    public boolean isLeft(MySQLUser user, ReconcileContext<MySQLUser> context) {
        return user.getSpec().deletionPolicy() == DeletionPolicy.Retain
                || user.told().account() == null
                || Namesakes.elder(user, this, context).isPresent()
                || found(user, context)
                        .filter(cluster -> isOfCluster(Namesakes.account(user), cluster, context))
                        .isPresent();
    }

    @Override
    public void remove(MySQLUser user, Contents contents, ReconcileContext<MySQLUser> context)
            throws SqlFailure, InterruptedException {
        AccountName name = Namesakes.account(user);
        contents.dropUser(name);
        context.events().normal(user, "UserDropped", "Drop", name.toString());
    }
}
