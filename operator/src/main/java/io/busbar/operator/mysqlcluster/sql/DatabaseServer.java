package io.busbar.operator.mysqlcluster.sql;

import java.time.Duration;
import java.util.Collection;
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
     * Makes the operator's, the replication's and the programs' account, and corrects their passwords and rights; not
     * written to the binary log.
     */
    void createAccounts(Accounts accounts) throws SqlFailure, InterruptedException;

    /** Whether programs have their account with its rights; changes nothing, and does not know the password. */
    boolean hasApplication(Application application) throws SqlFailure, InterruptedException;

    /** Unless it is there; written to the binary log. */
    void createDatabase(String name) throws SqlFailure, InterruptedException;

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
