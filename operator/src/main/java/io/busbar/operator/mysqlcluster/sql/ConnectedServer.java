package io.busbar.operator.mysqlcluster.sql;

import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says to a server what its dialect has for it: over one connection that is opened when needed and again when lost, or
 * over one of its own where the session matters.
 *
 * <p>For one thread, which may block.
 */
final class ConnectedServer implements DatabaseServer {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectedServer.class);

    /** Values are quoted for this mode; and nobody's transaction is waited for longer than for an answer. */
    static final String SESSION = "SET SESSION sql_mode = '', SESSION lock_wait_timeout = 4";

    private static final Duration LONGEST_LOCK = Duration.ofSeconds(60);

    static final String VERSION = "SELECT VERSION() AS version";

    /** That a replica is given to connect. */
    private static final int PAUSES = 80;

    private final Endpoint server;
    private final Account account;
    private final Statements.Source connections;
    private final Duration longestLock;
    private @Nullable Session shared;

    /**
     * @param account that the connections are of
     */
    ConnectedServer(Endpoint server, Account account, Statements.Source connections) {
        this(server, account, connections, LONGEST_LOCK);
    }

    /**
     * @param longestLock after which the server ends a {@linkplain #freeze freeze} that it hears nothing more of,
     *     beyond the patience that was asked for; in whole seconds
     */
    ConnectedServer(Endpoint server, Account account, Statements.Source connections, Duration longestLock) {
        this.server = server;
        this.account = account;
        this.connections = connections;
        this.longestLock = longestLock;
    }

    @Override
    public ServerState observe() throws SqlFailure, InterruptedException {
        Session session = session();
        return session.dialect().observe(session.statements());
    }

    @Override
    public Load load() throws SqlFailure, InterruptedException {
        Session session = session();
        return StatusCounters.load(session.statements(), session.dialect().counters());
    }

    @Override
    public Optional<Disk> disk() throws SqlFailure, InterruptedException {
        Session session = session();
        return session.dialect().disk(session.statements());
    }

    @Override
    public void forgetBirth() throws SqlFailure, InterruptedException {
        Session session = session();
        session.dialect().forgetBirth(session.statements());
    }

    @Override
    public void createAccounts(Accounts accounts) throws SqlFailure, InterruptedException {
        try (Session own = open()) {
            own.dialect().createAccounts(own.statements(), accounts);
        }
    }

    @Override
    public Encryption encryption(Accounts accounts, X509Certificate newest) throws SqlFailure, InterruptedException {
        Session session = session();
        X509Certificate shown = session.statements()
                .certificate()
                .orElseThrow(() -> new SqlFailure(Kind.REFUSED, server + ": the connection is not encrypted", null));
        return new AccountStatements(session.statements(), session.dialect())
                .encryption(accounts, shown.getNotAfter().toInstant(), shown.equals(newest));
    }

    @Override
    public void reloadCertificate() throws SqlFailure, InterruptedException {
        Session session = session();
        session.dialect().reloadCertificate(session.statements());
    }

    @Override
    public void requireEncryption(Accounts accounts, boolean required) throws SqlFailure, InterruptedException {
        try (Session own = open()) {
            own.dialect().requireEncryption(own.statements(), accounts, required);
        }
    }

    @Override
    public boolean hasApplication(Application application) throws SqlFailure, InterruptedException {
        Session session = session();
        return new AccountStatements(session.statements(), session.dialect()).isMade(application);
    }

    @Override
    public boolean isExporterAsWanted(Accounts accounts) throws SqlFailure, InterruptedException {
        Session session = session();
        return new AccountStatements(session.statements(), session.dialect()).isExporterAsWanted(accounts);
    }

    @Override
    public void createDatabase(String name) throws SqlFailure, InterruptedException {
        Schemas.make(session().statements(), name);
    }

    @Override
    public Contents contents() throws SqlFailure, InterruptedException {
        Session own = open();
        boolean isOpen = false;
        try {
            own.dialect().holdOpen(own.statements());
            isOpen = true;
            return new ConnectedContents(own.statements(), own.dialect());
        } finally {
            if (!isOpen) {
                own.close();
            }
        }
    }

    @Override
    public void makeReadOnly() throws SqlFailure, InterruptedException {
        Session session = session();
        session.dialect().makeReadOnly(session.statements());
    }

    @Override
    public void makeWritable() throws SqlFailure, InterruptedException {
        Session session = session();
        session.dialect().makeWritable(session.statements());
    }

    @Override
    public StoppedEvents stoppedEvents() throws SqlFailure, InterruptedException {
        return Events.stopped(session().statements());
    }

    @Override
    public void enableEvents(Collection<String> disabled) throws SqlFailure, InterruptedException {
        Events.enable(session().statements(), disabled);
    }

    @Override
    public void acknowledgeByReplicas(int replicas) throws SqlFailure, InterruptedException {
        Session session = session();
        session.dialect().acknowledgeByReplicas(session.statements(), replicas);
    }

    @Override
    public void closeClients() throws SqlFailure, InterruptedException {
        int left = Clients.close(session().statements(), account);
        if (left > 0) {
            throw new SqlFailure(Kind.REFUSED, server + ": " + left + " connections do not end", null);
        }
    }

    @Override
    public void follow(Endpoint source, Account replication, boolean own) throws SqlFailure, InterruptedException {
        Session session = session();
        session.dialect().follow(session.statements(), source, replication, own);
    }

    @Override
    public void admitReplicas(Account replication) throws SqlFailure, InterruptedException {
        try (Session own = open()) {
            own.dialect().admitReplicas(own.statements(), replication);
        }
    }

    @Override
    public void follow(Upstream upstream) throws SqlFailure, InterruptedException {
        Session session = session();
        session.dialect().follow(session.statements(), upstream);
    }

    @Override
    public SourceState asSource() throws SqlFailure, InterruptedException {
        Session session = session();
        return session.dialect().asSource(session.statements());
    }

    @Override
    public List<String> tablesWithoutTransactions() throws SqlFailure, InterruptedException {
        return session().statements().query(Schemas.WITHOUT_TRANSACTIONS).stream()
                .map(row -> row.text("name"))
                .toList();
    }

    @Override
    public void reconnect(Endpoint source, Account replication) throws SqlFailure, InterruptedException {
        Session session = session();
        session.dialect().reconnect(session.statements(), source, replication);
        for (int i = 0; i < PAUSES; i++) {
            Optional<Replication> now =
                    session.dialect().observe(session.statements()).replication();
            if (now.filter(one -> one.io() == Replication.Io.YES).isPresent()) {
                return;
            }
            session.statements().query(Clients.PAUSE);
        }
        throw new SqlFailure(Kind.REFUSED, server + ": it does not get through to " + source + " again", null);
    }

    @Override
    public void stopReceiving() throws SqlFailure, InterruptedException {
        Session session = session();
        session.dialect().stopReceiving(session.statements());
    }

    @Override
    public void stopFollowing() throws SqlFailure, InterruptedException {
        Session session = session();
        session.dialect().stopFollowing(session.statements());
    }

    @Override
    public boolean awaitReceived(Duration patience) throws SqlFailure, InterruptedException {
        Optional<Replication> replication = observe().replication();
        return replication.isEmpty() || awaitApplied(replication.get().received(), patience);
    }

    @Override
    public boolean awaitApplied(Position position, Duration patience) throws SqlFailure, InterruptedException {
        Session session = session();
        ServerState now = session.dialect().observe(session.statements());
        return now.replication().isEmpty()
                ? now.history().contains(position)
                : session.dialect().awaitApplied(session.statements(), position, patience);
    }

    @Override
    public Freeze freeze(Duration patience) throws SqlFailure, InterruptedException {
        Session own = open();
        Position position = null;
        try {
            long seconds = Math.max(1, patience.toSeconds());
            // An operator whose machine vanishes does not close its connection: the lock would stay for hours.
            own.statements()
                    .query("SET SESSION lock_wait_timeout = " + seconds + ", SESSION wait_timeout = "
                            + (seconds + longestLock.toSeconds()));
            own.statements().query("FLUSH TABLES WITH READ LOCK", patience.plus(Statements.PATIENCE));
            position = own.dialect().observe(own.statements()).history();
            return new OpenFreeze(own, position);
        } finally {
            if (position == null) {
                own.close();
            }
        }
    }

    @Override
    public void erase() throws SqlFailure, InterruptedException {
        try (Session own = open()) {
            own.dialect().erase(own.statements());
        }
    }

    @Override
    public void seed(String position) throws SqlFailure, InterruptedException {
        try (Session own = open()) {
            own.dialect().seed(own.statements(), position);
        }
    }

    @Override
    public Optional<String> offerCopy(Account replication) throws SqlFailure, InterruptedException {
        try (Session own = open()) {
            return own.dialect().offerCopy(own.statements(), replication);
        }
    }

    @Override
    public void beginCopy(Endpoint donor, Account replication) throws SqlFailure, InterruptedException {
        try (Session own = open()) {
            Optional<String> client = Clients.anyOf(own.statements(), account);
            if (client.isPresent()) {
                throw new SqlFailure(Kind.REFUSED, server + ": somebody is connected to it: " + client.get(), null);
            }
            own.dialect().beginCopy(own.statements(), donor, replication);
        }
    }

    @Override
    public void acceptCopy() throws SqlFailure, InterruptedException {
        try (Session own = open()) {
            own.dialect().acceptCopy(own.statements());
        }
    }

    @Override
    public void close() {
        if (shared != null) {
            shared.close();
        }
    }

    private Session session() throws SqlFailure, InterruptedException {
        Session session = shared;
        if (session == null || !session.statements().isOpen()) {
            session = open();
            shared = session;
        }
        return session;
    }

    private Session open() throws SqlFailure, InterruptedException {
        Statements statements = connections.open();
        Session session = null;
        try {
            statements.query(SESSION);
            session = new Session(statements, Dialect.of(statements.row(VERSION).text("version")));
            return session;
        } catch (IllegalArgumentException e) {
            throw new SqlFailure(Kind.REFUSED, server + ": " + e.getMessage(), e);
        } finally {
            if (session == null) {
                statements.close();
            }
        }
    }

    /** A connection, and the words for it. */
    private record Session(Statements statements, Dialect dialect) implements AutoCloseable {

        @Override
        public void close() {
            statements.close();
        }
    }

    /** A connection that holds the lock, which ends with it in any case. */
    private record OpenFreeze(Session session, Position position) implements Freeze {

        @Override
        public void close() {
            try (session) {
                session.statements().query("UNLOCK TABLES");
            } catch (SqlFailure lost) {
                LOG.atDebug().setCause(lost).log("Left tables to be unlocked by the end of the connection");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
