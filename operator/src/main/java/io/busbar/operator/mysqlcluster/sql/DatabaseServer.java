package io.busbar.operator.mysqlcluster.sql;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One database server, whatever its flavor. All but those that ask change it, and may be repeated: what is so already
 * stays so.
 *
 * <p>For one thread, which may block: not an event loop's. Each method ends within some seconds beyond the time that it
 * is given ({@link #erase} and {@link #seed}: minutes), or fails as {@link SqlFailure.Kind#UNREACHABLE}. It can be
 * interrupted.
 */
public interface DatabaseServer extends AutoCloseable {

    /**
     * The schema by which a server knows of itself that it is {@linkplain ServerState#incomplete incomplete}: it is
     * there from before the first row goes until all of another's data and its position are there, whoever ends in
     * between.
     */
    String MARK_OF_INCOMPLETE = "busbar_copy_in_progress";

    ServerState observe() throws SqlFailure, InterruptedException;

    Load load() throws SqlFailure, InterruptedException;

    /**
     * Empty where the server cannot tell: MariaDB without its plugin {@code disks}, and MySQL until a write has found
     * no room.
     */
    Optional<Disk> disk() throws SqlFailure, InterruptedException;

    /**
     * Of a new server that nobody has used: empties its binary log of what its image wrote when it made the data
     * folder, such as MySQL's time zones. Each server has such writes of its own, and would else differ from all others
     * from the beginning. Changes nothing where there are databases of users, or transactions of another server.
     */
    void forgetBirth() throws SqlFailure, InterruptedException;

    /**
     * Makes the operator's, the replication's and the programs' account, makes or drops the exporter's, and corrects
     * their passwords and rights, and root's passwords where they were made up; not written to the binary log. Each
     * can log in with its password all the while, if it could before.
     */
    void createAccounts(Accounts accounts) throws SqlFailure, InterruptedException;

    /**
     * Over TLS: what it asks for.
     *
     * @param accounts that are to ask for it as well
     * @param newest that it should show
     */
    Encryption encryption(Accounts accounts, X509Certificate newest) throws SqlFailure, InterruptedException;

    /** Has it show the certificate that is in its files now; connections that are open go on. */
    void reloadCertificate() throws SqlFailure, InterruptedException;

    /**
     * Has it, and these accounts of it, ask for TLS, or not any more; not written to the binary log. A stricter demand
     * that somebody has made of an account stays. Connections that are open go on.
     */
    void requireEncryption(Accounts accounts, boolean required) throws SqlFailure, InterruptedException;

    /** Whether programs have their account with its rights; changes nothing, and does not know the password. */
    boolean hasApplication(Application application) throws SqlFailure, InterruptedException;

    /**
     * Whether the exporter has its account with its rights, or, where these accounts have none for it, has none; changes
     * nothing, and does not know the password.
     */
    boolean isExporterAsWanted(Accounts accounts) throws SqlFailure, InterruptedException;

    /** Unless it is there; written to the binary log. */
    void createDatabase(String name) throws SqlFailure, InterruptedException;

    /**
     * Over a connection of its own, which the result closes.
     *
     * @throws SqlFailure also where the server takes no writes
     */
    Contents contents() throws SqlFailure, InterruptedException;

    /**
     * Refused when statements or table locks of clients are in the way for some seconds:
     * {@linkplain #closeClients() close} them.
     */
    void makeReadOnly() throws SqlFailure, InterruptedException;

    void makeWritable() throws SqlFailure, InterruptedException;

    StoppedEvents stoppedEvents() throws SqlFailure, InterruptedException;

    /**
     * Of one that takes writes: has it run the events that replication has stopped, and its replicas not. Definers, and
     * whether the event scheduler runs, stay as they are. Written to the binary log.
     *
     * @param disabled which of them are to be disabled instead, by the names that {@link #stoppedEvents} gives
     */
    void enableEvents(Collection<String> disabled) throws SqlFailure, InterruptedException;

    /**
     * How many replicas must have a write before the server, as a source, acknowledges it. Not for replicas: one would
     * wait for replicas of its own before it applies anything. To be taken back only when no client is waiting, who
     * would take its write for acknowledged.
     *
     * @param replicas 0 for none; MariaDB refuses more than 1
     */
    void acknowledgeByReplicas(int replicas) throws SqlFailure, InterruptedException;

    /**
     * Ends the connections of all but the operator, replicas, and the server itself, so that no write is under way any
     * more.
     */
    void closeClients() throws SqlFailure, InterruptedException;

    /**
     * Makes it a replica that goes on where it is.
     *
     * @param own whether it was a source itself until now, so that its own transactions count as applied
     */
    void follow(Endpoint source, Account replication, boolean own) throws SqlFailure, InterruptedException;

    /**
     * Lets replicas in by {@linkplain Endpoint#forAdministration() its port for administration}; not written to the
     * binary log, which may wait for them.
     */
    void admitReplicas(Account replication) throws SqlFailure, InterruptedException;

    /**
     * Makes it a replica of a server outside that goes on where it is: read-only, waiting for nobody, and without what
     * that one does to accounts and rights. The same words may be said to one that follows it already.
     */
    void follow(Upstream upstream) throws SqlFailure, InterruptedException;

    /** Of a server outside, with no more rights than a replica has. */
    SourceState asSource() throws SqlFailure, InterruptedException;

    /**
     * Names of some tables of users that a dump at one moment does not hold as they were at that moment: their engine
     * knows no transactions. For a server outside; looks at all tables.
     */
    List<String> tablesWithoutTransactions() throws SqlFailure, InterruptedException;

    /**
     * Has a replica go on from the source that it has, with another password; done when it receives again. Of one that
     * has applied what it received: what it has not is asked for again.
     */
    void reconnect(Endpoint source, Account replication) throws SqlFailure, InterruptedException;

    /**
     * Of one that applies what it receives: it goes on with that, but receives, and so acknowledges, nothing more.
     * Following again ends that.
     */
    void stopReceiving() throws SqlFailure, InterruptedException;

    /** Makes it nobody's replica. */
    void stopFollowing() throws SqlFailure, InterruptedException;

    /** Waits until all that has been received is applied; returns whether that came to be in time. */
    boolean awaitReceived(Duration patience) throws SqlFailure, InterruptedException;

    /** Waits until it has all of these; returns whether that came to be in time. */
    boolean awaitApplied(Position position, Duration patience) throws SqlFailure, InterruptedException;

    /**
     * Stops all writes, the operator's included, as long as the result is open; fails when that takes longer than the
     * patience. The server ends it by itself when it hears nothing of it for a minute longer than that: whoever asked
     * may have vanished.
     */
    Freeze freeze(Duration patience) throws SqlFailure, InterruptedException;

    /**
     * Follows nobody, and has neither schemas nor a history any more: ready to be given another's; not written to the
     * binary log. From before the first schema goes until it is {@linkplain #seed seeded} it says that it is
     * {@linkplain ServerState#incomplete incomplete}.
     */
    void erase() throws SqlFailure, InterruptedException;

    /**
     * After another's data was loaded, makes it stand where that one stood; from then on it is complete.
     *
     * @param position of the dump, or better {@link Position#upTo} it of the server that was dumped
     */
    void seed(String position) throws SqlFailure, InterruptedException;

    /**
     * Makes it one that another may copy the data files of: by the account of replicas, which gets one more right for
     * that. Not written to the binary log.
     *
     * @return why it cannot be that; empty if it is
     */
    Optional<String> offerCopy(Account replication) throws SqlFailure, InterruptedException;

    /**
     * Has one that nobody uses replace all that it has by another's data files, accounts and position included. Done
     * once it has begun, or been refused: {@link ServerState#copy} tells what becomes of it. From before anything goes
     * until it is {@linkplain #acceptCopy accepted}, or {@linkplain #seed seeded}, it is
     * {@linkplain ServerState#incomplete incomplete}. MySQL's ends when it has all, and tells more once it is started
     * again; MariaDB's is given all {@linkplain PhysicalCopy.Stage#WAITING once its Pod is made anew}.
     *
     * @param donor that was {@linkplain #offerCopy offered}
     */
    void beginCopy(Endpoint donor, Account replication) throws SqlFailure, InterruptedException;

    /**
     * Of a copy that knows its {@linkplain PhysicalCopy#position position}; others are {@linkplain #seed seeded}. From
     * then on it is complete, follows nobody, and runs no events of the donor's.
     *
     * @throws SqlFailure as refused where the copy is not {@linkplain PhysicalCopy.Stage#WHOLE whole}
     */
    void acceptCopy() throws SqlFailure, InterruptedException;

    @Override
    void close();

    /** Writes are stopped. For the same thread. */
    interface Freeze extends AutoCloseable {

        /** All that was ever written. */
        Position position();

        @Override
        void close();
    }
}
