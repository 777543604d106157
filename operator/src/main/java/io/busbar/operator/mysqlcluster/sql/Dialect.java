package io.busbar.operator.mysqlcluster.sql;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words of one product for what is asked of its servers; what may be repeated is said in {@link DatabaseServer}.
 *
 * <p>Immutable; blocks as its statements do.
 */
interface Dialect {

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

    Optional<Disk> disk(Statements statements) throws SqlFailure, InterruptedException;

    void makeReadOnly(Statements statements) throws SqlFailure, InterruptedException;

    void makeWritable(Statements statements) throws SqlFailure, InterruptedException;

    void acknowledgeByReplicas(Statements statements, int replicas) throws SqlFailure, InterruptedException;

    void follow(Statements statements, Endpoint source, Account replication, boolean own)
            throws SqlFailure, InterruptedException;

    void stopReceiving(Statements statements) throws SqlFailure, InterruptedException;

    void stopFollowing(Statements statements) throws SqlFailure, InterruptedException;

    /** Of a replica. */
    boolean awaitApplied(Statements statements, Position position, Duration patience)
            throws SqlFailure, InterruptedException;

    void forgetBirth(Statements statements) throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    void createAccounts(Statements statements, Accounts accounts) throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    void erase(Statements statements) throws SqlFailure, InterruptedException;

    /** Changes the session: for a connection of its own. */
    void seed(Statements statements, String position) throws SqlFailure, InterruptedException;
}
