package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Databases, accounts and rights of a server that takes writes. All that changes is written to the binary log, and
 * nothing is changed on a server that has been closed to writes meanwhile, although the operator may: MySQL refuses it,
 * and whoever closes one of MariaDB waits for the end of this, or ends it.
 *
 * <p>For one thread, which may block: each method for some seconds, {@link #dropDatabase} for a minute. No failure
 * tells a password.
 */
public interface Contents extends AutoCloseable {

    Flavor flavor();

    /** Empty where there is none. */
    Optional<Encoding> database(String name) throws SqlFailure, InterruptedException;

    /** Unless it is there. */
    void createDatabase(String name, Encoding encoding) throws SqlFailure, InterruptedException;

    void alterDatabase(String name, Encoding encoding) throws SqlFailure, InterruptedException;

    /** Unless it is gone. */
    void dropDatabase(String name) throws SqlFailure, InterruptedException;

    boolean hasTable(String database, String table) throws SqlFailure, InterruptedException;

    /** Empty where there is none. */
    Optional<User> user(AccountName name) throws SqlFailure, InterruptedException;

    /**
     * Unless it is there.
     *
     * @param maxConnections at once; 0 for no limit
     */
    void createUser(AccountName name, String password, int maxConnections) throws SqlFailure, InterruptedException;

    /** @param retainOld whether the one that it has lets in, too, until it is discarded; never with MariaDB */
    void changePassword(AccountName name, String password, boolean retainOld) throws SqlFailure, InterruptedException;

    void discardOldPassword(AccountName name) throws SqlFailure, InterruptedException;

    /** @param encrypted whether it may log in only over TLS */
    void requireEncryption(AccountName name, boolean encrypted) throws SqlFailure, InterruptedException;

    /** @param most at once; 0 for no limit */
    void limitConnections(AccountName name, int most) throws SqlFailure, InterruptedException;

    /** Unless it is gone. */
    void dropUser(AccountName name) throws SqlFailure, InterruptedException;

    /** What {@code ALL PRIVILEGES} stands for there on this server. */
    SortedSet<String> allPrivileges(Scope scope) throws SqlFailure, InterruptedException;

    /** What was given in this very scope: nothing that comes from a wider or a narrower one. */
    Rights rights(Scope scope) throws SqlFailure, InterruptedException;

    /** Of an account that is there. */
    void grant(Scope scope, Rights rights) throws SqlFailure, InterruptedException;

    /** Of rights that it has. */
    void revoke(Scope scope, Rights rights) throws SqlFailure, InterruptedException;

    @Override
    void close();

    /**
     * What texts of a database's new tables are kept in.
     *
     * <p>Immutable.
     *
     * @param characterSet null for whatever the server chooses
     * @param collation null for whatever the server chooses
     */
    record Encoding(@Nullable String characterSet, @Nullable String collation) {}

    /**
     * An account, as the server keeps it.
     *
     * <p>Immutable.
     *
     * @param passwordDigest of what it keeps of the password and how it checks it: differs when either does
     * @param retainsOld whether the password before lets in, too
     * @param maxConnections at once; 0 for no limit
     * @param encryption what it asks of connections, as the server calls it: empty for nothing
     */
    record User(String passwordDigest, boolean retainsOld, int maxConnections, String encryption) {

        /** What the server calls it when it asks for TLS, and nothing beyond. */
        public static final String TLS = "ANY";
    }
}
