package io.busbar.operator.mysqlcluster.contents;

import io.busbar.common.watch.Index;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.sql.AccountName;
import io.busbar.operator.mysqlcluster.sql.Contents;
import io.busbar.operator.mysqlcluster.sql.Rights;
import io.busbar.operator.mysqlcluster.sql.Scope;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLGrant;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLGrantSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLGrantStatus;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What an account may do. In its scope, which is an account with a database, or with a table of it, it may do what all
 * objects of that scope say together, and nothing else; other scopes are left alone. Any thread.
 */
final class GrantContent implements Content<MySQLGrant> {

    /** Files grants under their cluster, account, database and table. */
    static final Index<MySQLGrant> BY_SCOPE = new Index<>("mysqlgrant.scope", grant -> List.of(value(grant)));

    /** Files grants under their cluster, account and database. */
    static final Index<MySQLGrant> BY_NEED =
            new Index<>("mysqlgrant.need", grant -> List.of(account(grant), database(grant)));

    private static String value(MySQLGrant grant) {
        MySQLGrantSpec spec = grant.getSpec();
        return Namesakes.value(
                grant, spec.clusterRef().name(), spec.user().host(), spec.user().name(), spec.database(), spec.table());
    }

    private static String account(MySQLGrant grant) {
        MySQLGrantSpec spec = grant.getSpec();
        return Namesakes.value(
                grant, spec.clusterRef().name(), spec.user().host(), spec.user().name());
    }

    private static String database(MySQLGrant grant) {
        return Namesakes.value(
                grant, grant.getSpec().clusterRef().name(), grant.getSpec().database());
    }

    private static Scope scope(MySQLGrant grant) {
        MySQLGrantSpec spec = grant.getSpec();
        return new Scope(new AccountName(spec.user().name(), spec.user().host()), spec.database(), spec.table());
    }

    @Override
    public String cluster(MySQLGrant grant) {
        return grant.getSpec().clusterRef().name();
    }

    @Override
    public Index<MySQLGrant> byName() {
        return BY_SCOPE;
    }

    @Override
    public String nameOf(MySQLGrant grant) {
        return value(grant);
    }

    @Override
    public List<Condition> conditions(MySQLGrant grant) {
        return grant.told().conditions();
    }

    @Override
    public MySQLGrant with(MySQLGrant grant, List<Condition> conditions) {
        return grant.with(grant.told().with(conditions));
    }

    @Override
    public Applied<MySQLGrant> apply(MySQLGrant grant, Contents contents, ReconcileContext<MySQLGrant> context)
            throws SqlFailure, Unready, InterruptedException {
        Scope scope = scope(grant);
        requireThere(scope, contents);
        requireOthers(grant, scope, context);
        SortedSet<String> all = contents.allPrivileges(scope);
        Rights own = rights(grant, all);
        requireKnown(own, all, scope);
        Rights wanted = together(grant, all, other -> true, context);
        Rights held = contents.rights(scope);
        Rights missing = wanted.without(held);
        if (!missing.isEmpty()) {
            requireTable(scope, contents);
            announce(grant, own, all, context);
            contents.grant(scope, missing);
            context.events().normal(grant, "Granted", "Grant", missing + " on " + scope);
        }
        revoke(grant, scope, held.without(wanted), contents, context);
        return new Applied<>(told(grant, own), "the account may do " + wanted + " there", Optional.empty());
    }

    private static MySQLGrant told(MySQLGrant grant, Rights given) {
        return grant.with(new MySQLGrantStatus(
                List.copyOf(given.privileges()),
                given.grantOption(),
                grant.told().conditions()));
    }

    /** Before it is given: who is deleted right afterwards knows what to take away. */
    private static void announce(
            MySQLGrant grant, Rights own, SortedSet<String> all, ReconcileContext<MySQLGrant> context) {
        context.status(told(grant, given(grant, all).and(own)));
    }

    private static Rights given(MySQLGrant grant, SortedSet<String> all) {
        return rights(grant.told().privileges(), grant.told().grantOption(), all);
    }

    private static void revoke(
            MySQLGrant grant, Scope scope, Rights rights, Contents contents, ReconcileContext<MySQLGrant> context)
            throws SqlFailure, InterruptedException {
        if (!rights.isEmpty()) {
            contents.revoke(scope, rights);
            context.events().normal(grant, "Revoked", "Revoke", rights + " on " + scope);
        }
    }

    private static void requireThere(Scope scope, Contents contents) throws SqlFailure, Unready, InterruptedException {
        if (contents.user(scope.account()).isEmpty()) {
            throw new Unready(ContentReasons.USER_MISSING, "waiting for the account " + scope.account());
        }
        if (contents.database(scope.database()).isEmpty()) {
            throw new Unready(ContentReasons.DATABASE_MISSING, "waiting for the database " + scope.database());
        }
    }

    private static void requireTable(Scope scope, Contents contents) throws SqlFailure, Unready, InterruptedException {
        if (!scope.isWholeDatabase() && !contents.hasTable(scope.database(), scope.table())) {
            throw new Unready(
                    ContentReasons.TABLE_MISSING,
                    "waiting for the table " + scope.table() + " in the database " + scope.database());
        }
    }

    private void requireOthers(MySQLGrant grant, Scope scope, ReconcileContext<MySQLGrant> context) throws Unready {
        if (isOfCluster(grant, scope, context)) {
            throw new Unready(
                    ContentReasons.TAKEN,
                    "MySQLCluster " + cluster(grant) + " itself gives this account all rights there, by its spec.auth");
        }
    }

    private boolean isOfCluster(MySQLGrant grant, Scope scope, ReconcileContext<MySQLGrant> context) {
        Optional<MySQLCluster> cluster =
                context.lister(MySQLCluster.class).get(Namesakes.cluster(grant, cluster(grant)));
        boolean isOfCluster = cluster.filter(
                        one -> one.wanted().auth().database().equals(scope.database()))
                .flatMap(one -> Passwords.applicationUser(one, context))
                .filter(scope.account().user()::equals)
                .isPresent();
        return isOfCluster && scope.isWholeDatabase() && scope.account().host().equals(AccountName.ANYWHERE);
    }

    private static void requireKnown(Rights own, SortedSet<String> all, Scope scope) throws Unready {
        SortedSet<String> unknown = new TreeSet<>(own.privileges());
        unknown.removeAll(all);
        if (!unknown.isEmpty()) {
            throw new Unready(
                    ContentReasons.REFUSED,
                    "this server has no " + String.join(", ", unknown) + " for a "
                            + (scope.isWholeDatabase() ? "database" : "table") + "; it has " + String.join(", ", all));
        }
    }

    /** What an object says by itself. */
    private static Rights rights(MySQLGrant grant, SortedSet<String> all) {
        return rights(grant.getSpec().privileges(), grant.getSpec().grantOption(), all);
    }

    private static Rights rights(Collection<String> words, boolean grantOption, SortedSet<String> all) {
        List<String> privileges = words.stream().map(Names::privilege).toList();
        return new Rights(privileges.contains(Names.ALL) ? all : privileges, grantOption);
    }

    /** What the objects of a scope say together, as far as the server has it: each of them is told what it has not. */
    private static Rights together(
            MySQLGrant grant,
            SortedSet<String> all,
            Predicate<MySQLGrant> which,
            ReconcileContext<MySQLGrant> context) {
        Rights said = context.lister(MySQLGrant.class).by(BY_SCOPE, value(grant)).stream()
                .filter(other -> !other.isMarkedForDeletion())
                .filter(which)
                .map(other -> rights(other, all))
                .reduce(Rights.NONE, Rights::and);
        return said.among(new Rights(all, true));
    }

    @Override
    public boolean isLeft(MySQLGrant grant, ReconcileContext<MySQLGrant> context) {
        boolean gaveNothing =
                grant.told().privileges().isEmpty() && !grant.told().grantOption();
        return gaveNothing || isOfCluster(grant, scope(grant), context);
    }

    @Override
    public void remove(MySQLGrant grant, Contents contents, ReconcileContext<MySQLGrant> context)
            throws SqlFailure, InterruptedException {
        Scope scope = scope(grant);
        SortedSet<String> all = contents.allPrivileges(scope);
        String name = grant.getMetadata().getName();
        Rights others =
                together(grant, all, other -> !other.getMetadata().getName().equals(name), context);
        Rights going = given(grant, all).without(others);
        revoke(grant, scope, going.among(contents.rights(scope)), contents, context);
    }
}
