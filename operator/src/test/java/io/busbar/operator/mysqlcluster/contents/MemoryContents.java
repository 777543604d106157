package io.busbar.operator.mysqlcluster.contents;

import io.busbar.operator.mysqlcluster.sql.AccountName;
import io.busbar.operator.mysqlcluster.sql.Contents;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.sql.Rights;
import io.busbar.operator.mysqlcluster.sql.Scope;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is in a server, in memory. It knows no rules of names and no rights beyond five, hashes no password, and each
 * table is there. For one thread.
 */
final class MemoryContents implements Contents {

    final Map<String, Encoding> databases = new HashMap<>();
    final Map<AccountName, String> passwords = new HashMap<>();
    final Map<AccountName, String> oldPasswords = new HashMap<>();
    final Map<AccountName, Integer> limits = new HashMap<>();
    final Set<AccountName> encrypted = new HashSet<>();
    final Map<Scope, Rights> rights = new HashMap<>();

    /** What was changed, without passwords. */
    final List<String> changes = new ArrayList<>();

    /** Of the next change: it is not made. */
    @Nullable
    SqlFailure failure;

    /** After the next change: it is made, and nobody is told. */
    @Nullable
    SqlFailure lostAnswer;

    Flavor flavor = Flavor.MYSQL;

    /** A way to it that can do nothing else. */
    DatabaseServers servers() {
        return (endpoint, account, trust) -> (DatabaseServer) Proxy.newProxyInstance(
                DatabaseServer.class.getClassLoader(),
                new Class<?>[] {DatabaseServer.class},
                (proxy, method, values) -> switch (method.getName()) {
                    case "contents" -> this;
                    case "close" -> null;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private void change(String what, Runnable effect) throws SqlFailure {
        SqlFailure refused = failure;
        failure = null;
        if (refused != null) {
            throw refused;
        }
        effect.run();
        changes.add(what);
        SqlFailure lost = lostAnswer;
        lostAnswer = null;
        if (lost != null) {
            throw lost;
        }
    }

    @Override
    public Flavor flavor() {
        return flavor;
    }

    @Override
    public Optional<Encoding> database(String name) {
        return Optional.ofNullable(databases.get(name));
    }

    @Override
    public void createDatabase(String name, Encoding encoding) throws SqlFailure {
        change("create database " + name, () -> databases.put(name, complete(encoding)));
    }

    @Override
    public void alterDatabase(String name, Encoding encoding) throws SqlFailure {
        change("alter database " + name, () -> databases.put(name, complete(encoding)));
    }

    private static Encoding complete(Encoding encoding) {
        String characters = encoding.characterSet() == null ? "utf8mb4" : encoding.characterSet();
        return new Encoding(characters, encoding.collation() == null ? characters + "_bin" : encoding.collation());
    }

    @Override
    public void dropDatabase(String name) throws SqlFailure {
        change("drop database " + name, () -> databases.remove(name));
    }

    @Override
    public boolean hasTable(String database, String table) {
        return true;
    }

    @Override
    public Optional<User> user(AccountName name) {
        return Optional.ofNullable(passwords.get(name))
                .map(password -> new User(
                        "of " + password,
                        oldPasswords.containsKey(name),
                        limits.getOrDefault(name, 0),
                        encrypted.contains(name) ? User.TLS : ""));
    }

    @Override
    public void createUser(AccountName name, String password, int maxConnections) throws SqlFailure {
        change("create user " + name, () -> {
            passwords.put(name, password);
            limits.put(name, maxConnections);
        });
    }

    @Override
    public void changePassword(AccountName name, String password, boolean retainOld) throws SqlFailure {
        change((retainOld ? "retain and change password of " : "change password of ") + name, () -> {
            String old = passwords.put(name, password);
            if (retainOld && old != null) {
                oldPasswords.put(name, old);
            }
        });
    }

    @Override
    public void discardOldPassword(AccountName name) throws SqlFailure {
        change("discard old password of " + name, () -> oldPasswords.remove(name));
    }

    @Override
    public void requireEncryption(AccountName name, boolean required) throws SqlFailure {
        change((required ? "encrypt " : "do not encrypt ") + name, () -> {
            if (required) {
                encrypted.add(name);
            } else {
                encrypted.remove(name);
            }
        });
    }

    @Override
    public void limitConnections(AccountName name, int most) throws SqlFailure {
        change("limit " + name, () -> limits.put(name, most));
    }

    @Override
    public void dropUser(AccountName name) throws SqlFailure {
        change("drop user " + name, () -> passwords.remove(name));
    }

    @Override
    public SortedSet<String> allPrivileges(Scope scope) {
        return new TreeSet<>(List.of("CREATE", "DELETE", "INSERT", "SELECT", "UPDATE"));
    }

    @Override
    public Rights rights(Scope scope) {
        return rights.getOrDefault(scope, Rights.NONE);
    }

    @Override
    public void grant(Scope scope, Rights given) throws SqlFailure {
        change("grant " + given, () -> rights.merge(scope, given, Rights::and));
    }

    @Override
    public void revoke(Scope scope, Rights taken) throws SqlFailure {
        change("revoke " + taken, () -> rights.put(scope, rights(scope).without(taken)));
    }

    @Override
    public void close() {
        // There is nothing to let go.
    }
}
