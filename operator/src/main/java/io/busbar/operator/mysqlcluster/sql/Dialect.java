package io.busbar.operator.mysqlcluster.sql;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words of one product for what is asked of its servers; what may be repeated is said in {@link DatabaseServer}.
 *
 * <p>Immutable; blocks as its statements do.
 */
interface Dialect {

    /** The words before the password of an account whose method stays as it is. */
    String BY = "IDENTIFIED BY";

    /**
     * @param version as the server tells
     * @throws IllegalArgumentException when nobody here speaks it
     */
    static Dialect of(String version) {
        if (version.contains("MariaDB")) {
            return new MariaDbDialect();
        }
        Matcher numbers = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*").matcher(version);
        if (!numbers.matches()) {
            throw new IllegalArgumentException("neither MariaDB nor MySQL: version " + version);
        }
        return MySqlDialect.of(
                Integer.parseInt(numbers.group(1)),
                Integer.parseInt(numbers.group(2)),
                Integer.parseInt(numbers.group(3)));
    }

    ServerState observe(Statements statements) throws SqlFailure, InterruptedException;

    /** The table of {@link StatusCounters}. */
    String counters();

    Optional<Disk> disk(Statements statements) throws SqlFailure, InterruptedException;

    void makeReadOnly(Statements statements) throws SqlFailure, InterruptedException;

    void makeWritable(Statements statements) throws SqlFailure, InterruptedException;

    /**
     * For a session that is about to change what is in the server: it fails where that takes no writes, and until the
     * session ends nobody closes it unnoticed. For a connection of its own.
     */
    void holdOpen(Statements statements) throws SqlFailure, InterruptedException;

    ServerState.Flavor flavor();

    /** What gives an account its password. */
    String identified(String password);

    /** The words before the password of an account of the operator's. */
    String byPassword();

    /**
     * What is said of an account, one after the other, so that it has its passwords and no others; the first can be
     * said of one that is made, too. Where all of it is said again, the one to log in with lets in at every moment.
     *
     * @param by the words before a password
     */
    List<String> passwords(String by, Account account);

    /**
     * What is said of an account whose password the operator gives it, so that the server's rules for passwords of people
     * do not hold for it: it would expire, or be refused as one that it has had before.
     */
    String withoutPasswordRules();

    /** What the exporter's account may do everywhere, in the words and the order of {@code SHOW GRANTS}. */
    String rightsOfExporter();

    /** Asks for the {@code Host} of each root that has a password. */
    String rootsWithPassword();

    /** A condition on {@code mysql.user}: whether the password before lets in, too. */
    String retainsOld();

    /** Whether the name of a database to which rights are given is a pattern. */
    boolean readsPatterns(Statements statements) throws SqlFailure, InterruptedException;

    void acknowledgeByReplicas(Statements statements, int replicas) throws SqlFailure, InterruptedException;

    void follow(Statements statements, Endpoint source, Account replication, boolean own)
            throws SqlFailure, InterruptedException;

    void follow(Statements statements, Upstream upstream) throws SqlFailure, InterruptedException;

    SourceState asSource(Statements statements) throws SqlFailure, InterruptedException;

    void reconnect(Statements statements, Endpoint source, Account replication) throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    default void admitReplicas(Statements statements, Account replication) throws SqlFailure, InterruptedException {}

    void stopReceiving(Statements statements) throws SqlFailure, InterruptedException;

    void stopFollowing(Statements statements) throws SqlFailure, InterruptedException;

    /** Of a replica. */
    boolean awaitApplied(Statements statements, Position position, Duration patience)
            throws SqlFailure, InterruptedException;

    void forgetBirth(Statements statements) throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    void createAccounts(Statements statements, Accounts accounts) throws SqlFailure, InterruptedException;

    void reloadCertificate(Statements statements) throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    void requireEncryption(Statements statements, Accounts accounts, boolean required)
            throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    void erase(Statements statements) throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    void seed(Statements statements, String position) throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    Optional<String> offerCopy(Statements statements, Account replication) throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    void beginCopy(Statements statements, Endpoint donor, Account replication) throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    void acceptCopy(Statements statements) throws SqlFailure, InterruptedException;
}
