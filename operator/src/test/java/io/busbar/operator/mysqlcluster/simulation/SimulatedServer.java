package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Application;
import io.busbar.operator.mysqlcluster.sql.Disk;
import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Load;
import io.busbar.operator.mysqlcluster.sql.PhysicalCopy;
import io.busbar.operator.mysqlcluster.sql.PhysicalCopy.Stage;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import io.busbar.operator.mysqlcluster.sql.SourceState;
import io.busbar.operator.mysqlcluster.sql.StoppedEvents;
import io.busbar.operator.mysqlcluster.sql.Trust;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One server of MariaDB, but that it makes physical copies where its version says that it is MySQL: its data, its
 * binary log, and whom it follows. For one thread at a time.
 */
final class SimulatedServer {

    private static final int NO_CONNECTION = 2003;

    final String pod;

    /** Encrypted as long as it runs with a certificate. */
    Endpoint endpoint;

    final long id;

    /** What a client can read. */
    final Set<Transaction> rows = new LinkedHashSet<>();

    boolean up;

    /** What each account is let in with; root, where nobody has said that, with anything. */
    final Map<String, Set<String>> passwords = new TreeMap<>();

    boolean readOnly = true;

    /** Null where it cannot tell. */
    @Nullable
    Disk disk;

    /** Whether the operator gets through to it; clients and replicas do in any case. */
    boolean cutOff;

    /**
     * Whether it answers nobody, and writes nothing, although its port is open: it hangs, or its Node is gone and
     * nobody has noticed yet.
     */
    boolean silent;

    /** Whether it cannot get through to its source, and knows it. */
    boolean lostSource;

    /** How many times more it does not answer. */
    int refusals;

    /** Whether programs hold all connections but those for administration. */
    boolean crowded;

    /** Whether replicas may have one of those. */
    boolean admitsReplicas;

    /** Whether nothing gets through to the port for these. */
    boolean shut;

    /** How many replicas it waits for before it acknowledges. */
    int waitsFor;

    /** Whether it lets what it received lie. */
    boolean holdsBack;

    /** Whether nothing gets to it from its source, without its knowing. */
    boolean deaf;

    /** Names of its events, each with its status; by replication they get to all at once. */
    final Map<String, String> events = new TreeMap<>();

    /** Whether it, and the operator's accounts on it, which are kept with its data, ask for TLS. */
    boolean asksForTls;

    /** In its files, once they have got there. */
    @Nullable
    X509Certificate files;

    @Nullable
    X509Certificate shown;

    /** Whether a client has a connection. */
    boolean connected;

    /** Whether a statement of that client waits for the lock. */
    boolean clientWaits;

    boolean frozen;

    /** Written by clients who wait to be told so, until enough replicas have it: those that do. */
    final Map<Transaction, Set<String>> unacknowledged = new LinkedHashMap<>();

    Duration lag = Duration.ZERO;
    Load load = new Load(1, 1, 100, 0, 1);

    /** What programs log in with. */
    @Nullable
    Application application;

    /** That were made by name. */
    final Set<String> databases = new LinkedHashSet<>();

    @Nullable
    Link link;

    /** Whether it was erased, and not seeded since. */
    boolean incomplete;

    String version = "10.11.18-MariaDB";

    /** Null where it was told to make none that it has not accepted. */
    @Nullable
    PhysicalCopy physical;

    /** Whether its volume has a request for another's data files, as it is there for the next Pod. */
    private boolean requested;

    /** Whether it has tables that no physical copy takes along. */
    boolean hasOtherTables;

    /** Whose data it is given so. */
    @Nullable
    Endpoint donor;

    private final List<Transaction> log = new ArrayList<>();
    private @Nullable Transaction applied;

    /** How many of the log's first are not there any more, but for their numbers. */
    private int purged;

    SimulatedServer(String pod, Endpoint endpoint, long id) {
        this.pod = pod;
        this.endpoint = endpoint;
        this.id = id;
    }

    /** The same server, in another world; follows whom it follows anew. */
    SimulatedServer copy() {
        SimulatedServer copy = new SimulatedServer(pod, endpoint, id);
        copy.rows.addAll(rows);
        copy.log.addAll(log);
        copy.applied = applied;
        copy.purged = purged;
        copy.application = application;
        copy.databases.addAll(databases);
        copy.passwords.putAll(passwords);
        copy.asksForTls = asksForTls;
        copy.files = files;
        copy.shown = shown;
        copy.up = up;
        copy.readOnly = readOnly;
        copy.disk = disk;
        copy.crowded = crowded;
        copy.admitsReplicas = admitsReplicas;
        copy.shut = shut;
        copy.waitsFor = waitsFor;
        copy.incomplete = incomplete;
        copy.version = version;
        copy.physical = physical;
        copy.requested = requested;
        copy.donor = donor;
        copy.events.putAll(events);
        copy.link = link == null ? null : new Link(link.source, link.password);
        return copy;
    }

    void start() {
        if (physical != null && physical.stage() == Stage.WAITING) {
            breakOff("the server was started again without them");
        }
        shown = files;
        up = true;
        readOnly = true;
        waitsFor = 0;
        frozen = false;
        if (link != null) {
            link.start();
            link.stop();
        }
    }

    /** What it received and did not apply is of no use any more: it asks for that again. */
    void stop() {
        up = false;
        frozen = false;
        if (physical != null && physical.stage() == Stage.UNDER_WAY) {
            breakOff("the server ended in the middle of it");
        }
        closeClients();
        if (link != null) {
            link.relayed.clear();
        }
    }

    void closeClients() {
        connected = false;
        clientWaits = false;
        unacknowledged.clear();
    }

    /** Whether a write is on its volume: applied, or received and yet to be applied. Part of a copy does not count. */
    boolean has(Transaction written) {
        return !incomplete && (rows.contains(written) || (link != null && link.relayed.contains(written)));
    }

    ServerState state() {
        boolean writtenSince = lastOwn() > (applied == null ? 0 : applied.sequence());
        Position own = position(writtenSince ? new Transaction(id, lastOwn()).toString() : "");
        return new ServerState(
                Flavor.MARIADB,
                version,
                id,
                Long.toString(id),
                readOnly,
                history(),
                position(applied == null ? "" : applied.toString()),
                own,
                Optional.ofNullable(link).map(this::replication),
                incomplete,
                true,
                waitsFor,
                Optional.ofNullable(physical));
    }

    /** As of a server outside. */
    SourceState asSource() {
        Set<Long> writers = new LinkedHashSet<>(Set.of(id));
        log.forEach(transaction -> writers.add(transaction.server()));
        return new SourceState(
                Flavor.MARIADB, "10.11.18-MariaDB", readOnly, true, true, history(), position(dumped()), writers);
    }

    private Replication replication(Link to) {
        boolean known = to.io == Replication.Io.YES && to.sqlRunning;
        Transaction received = to.relayed.isEmpty() ? applied : to.relayed.get(to.relayed.size() - 1);
        return new Replication(
                to.source,
                to.io,
                to.sqlRunning,
                to.ioErrno,
                to.ioErrno == 0 ? "" : "IO error " + to.ioErrno,
                to.sqlErrno,
                to.sqlErrno == 0 ? "" : "SQL error " + to.sqlErrno,
                known ? Optional.of(lag) : Optional.empty(),
                position(received == null ? "" : received.toString()));
    }

    /** The last one of each server that wrote. */
    Position history() {
        Map<Long, Transaction> last = new LinkedHashMap<>();
        log.forEach(transaction -> last.put(transaction.server(), transaction));
        return position(String.join(
                ",", last.values().stream().map(Transaction::toString).toList()));
    }

    private static Position position(String text) {
        return Position.of(Flavor.MARIADB, text);
    }

    Transaction write() {
        Transaction written = new Transaction(id, sequence() + 1);
        log.add(written);
        rows.add(written);
        return written;
    }

    /** What somebody else wrote, or it wrote itself, is here now. */
    void take(Transaction written) {
        log.add(written);
        rows.add(written);
        applied = written.server() == id ? applied : written;
    }

    /** Whether who has these rows could be told all others by it: its log may begin later, as that of a copy does. */
    boolean tells(Set<Transaction> rows) {
        Set<Transaction> lacking = new LinkedHashSet<>(this.rows);
        lacking.removeAll(rows);
        return log.subList(purged, log.size()).containsAll(lacking);
    }

    /** Whether who is led there gets to it. */
    boolean isAt(Endpoint where) {
        return where.equals(endpoint) || where.equals(endpoint.forAdministration());
    }

    /** Asks its source for what comes after what it has. */
    void receive(SimulatedServer source) {
        Link to = link;
        if (!up || deaf || to == null || to.io == Replication.Io.NO) {
            return;
        }
        if (!source.up || source.silent || lostSource) {
            loseSource();
            return;
        }
        int refusal = to.io == Replication.Io.YES ? 0 : source.refusal(to.source.port());
        if (refusal != 0) {
            to.refused(refusal);
            return;
        }
        Transaction latest = to.relayed.isEmpty() ? applied : to.relayed.get(to.relayed.size() - 1);
        int next = latest == null ? 0 : source.log.indexOf(latest) + 1;
        if ((latest != null && next == 0) || next < source.purged) {
            to.cannotGoOn();
            return;
        }
        if (to.io != Replication.Io.YES && !source.admits(ClusterNames.REPLICATION, to.password)) {
            to.refused(Replication.WRONG_PASSWORD);
            return;
        }
        to.io = Replication.Io.YES;
        to.ioErrno = 0;
        source.log.stream().skip(next).forEach(to.relayed::add);
    }

    /** The error that a replica gets which asks for a connection by that port; 0 for none. */
    private int refusal(int port) {
        if (port != Endpoint.ADMINISTRATION_PORT) {
            return crowded ? Replication.TOO_MANY_CONNECTIONS : 0;
        }
        if (shut) {
            return NO_CONNECTION;
        }
        return admitsReplicas ? 0 : Replication.LACKS_A_RIGHT;
    }

    /** Notices that nothing comes from its source, and tries to get through to it. */
    void loseSource() {
        if (up && link != null && link.io != Replication.Io.NO) {
            link.io = Replication.Io.CONNECTING;
            link.ioErrno = NO_CONNECTION;
        }
    }

    /**
     * What it wrote itself it passes over, and yet moves its position on: it would have that already. As long as it
     * waits for replicas of its own, it stands still.
     */
    void apply() {
        Link to = link;
        while (up && !holdsBack && waitsFor == 0 && to != null && to.sqlRunning && !to.relayed.isEmpty()) {
            Transaction next = to.relayed.get(0);
            if (next.sequence() <= sequence()) {
                // As gtid_strict_mode has it.
                to.sqlRunning = false;
                to.sqlErrno = 1950;
                return;
            }
            to.relayed.remove(0);
            applied = next;
            if (next.server() != id) {
                log.add(next);
                rows.add(next);
            }
        }
    }

    boolean admits(String user, String password) {
        Set<String> its = passwords.get(user);
        return its == null ? user.equals("root") : its.contains(password);
    }

    void setPasswords(Account of) {
        passwords.put(of.user(), of.other() == null ? Set.of(of.password()) : Set.of(of.password(), of.other()));
    }

    void follow(Endpoint source, String password, boolean own) {
        if (link == null || !link.source.equals(source) || link.ioErrno == Replication.WRONG_PASSWORD) {
            if (own) {
                applied = last();
            }
            link = new Link(source, password);
        } else if (link.io == Replication.Io.NO || !link.sqlRunning) {
            link.start();
        }
    }

    /** With another password; what is not applied by now is asked for again. */
    void reconnect(Endpoint source, String password) {
        link = new Link(source, password);
    }

    /** It can be verified, names left aside. */
    boolean isTrustedBy(Trust trust) {
        X509Certificate certificate = shown;
        return endpoint.encrypted()
                && certificate != null
                && trust.authorities().stream()
                        .anyMatch(one -> one.getSubjectX500Principal().equals(certificate.getIssuerX500Principal()));
    }

    Encryption encryption(X509Certificate newest) {
        X509Certificate certificate = Objects.requireNonNull(shown);
        return new Encryption(
                certificate.getNotAfter().toInstant(), certificate.equals(newest), asksForTls, asksForTls);
    }

    StoppedEvents stoppedEvents() {
        return new StoppedEvents(events("SLAVESIDE_DISABLED"), events("DISABLED"));
    }

    List<String> events(String status) {
        return events.keySet().stream()
                .filter(name -> status.equals(events.get(name)))
                .toList();
    }

    void stopReceiving() {
        if (link != null) {
            link.io = Replication.Io.NO;
        }
    }

    /** Its volume is lost. */
    void lose() {
        erase();
        physical = null;
        incomplete = false;
    }

    /** Of MySQL's all goes before anything comes; of MariaDB's nothing before all has come, in a new Pod. */
    void beginCopy(Endpoint from) {
        closeClients();
        donor = from;
        if (PhysicalCopy.needsNewPod(version)) {
            incomplete = true;
            requested = true;
            physical = new PhysicalCopy(Stage.WAITING, "it begins when the Pod is made anew");
        } else {
            erase();
            physical = new PhysicalCopy(Stage.UNDER_WAY, "0 % of the files are there");
        }
    }

    /** What runs before it in its Pod looks whether it is to take another's files. */
    void isMadeAnew() {
        if (isTakingFiles()) {
            breakOff("it ended in the middle of it");
        } else if (requested) {
            requested = false;
            physical = new PhysicalCopy(Stage.UNDER_WAY, "");
        }
    }

    /** Whether it has not begun for that. */
    boolean isTakingFiles() {
        return PhysicalCopy.needsNewPod(version) && physical != null && physical.stage() == Stage.UNDER_WAY;
    }

    void breakOff(String why) {
        physical = new PhysicalCopy(Stage.BROKEN_OFF, why);
    }

    /** It knows nothing of its history then. */
    void takeFiles(SimulatedServer from) {
        erase();
        takeContents(from);
        stopEvents();
        physical = new PhysicalCopy(Stage.WHOLE, "all is there", Optional.of(from.dumped()));
    }

    /** It ends with that; whom its donor follows comes along. */
    void endCopy(SimulatedServer from) {
        takeContents(from);
        log.clear();
        log.addAll(from.log);
        purged = log.size();
        applied = last();
        link = from.link == null ? null : new Link(from.link.source, from.link.password);
        if (link != null) {
            link.stop();
        }
        physical = new PhysicalCopy(Stage.WHOLE, "all is there");
        stop();
    }

    private void takeContents(SimulatedServer from) {
        rows.clear();
        rows.addAll(from.rows);
        passwords.clear();
        passwords.putAll(from.passwords);
        application = from.application;
        databases.clear();
        databases.addAll(from.databases);
        events.clear();
        events.putAll(from.events);
    }

    private void stopEvents() {
        events.replaceAll((name, status) -> status.equals("ENABLED") ? "SLAVESIDE_DISABLED" : status);
    }

    void acceptCopy() {
        if (physical != null && physical.stage() == Stage.WHOLE) {
            link = null;
            stopEvents();
            physical = null;
            incomplete = false;
        }
    }

    void erase() {
        incomplete = true;
        requested = false;
        admitsReplicas = false;
        link = null;
        rows.clear();
        log.clear();
        applied = null;
        purged = 0;
    }

    void seed(String position) {
        standAt(position);
        physical = null;
        requested = false;
        incomplete = false;
    }

    /** As something that was loaded may say, whatever else is there. */
    void standAt(String position) {
        link = null;
        log.clear();
        for (String gtid : position.split(",", -1)) {
            if (!gtid.isBlank()) {
                log.add(Transaction.of(gtid.strip()));
            }
        }
        purged = log.size();
        applied = last();
    }

    /** The position that a dump of it tells. */
    String dumped() {
        Transaction latest = last();
        return latest == null ? "" : latest.toString();
    }

    private @Nullable Transaction last() {
        return log.isEmpty() ? null : log.get(log.size() - 1);
    }

    private long sequence() {
        Transaction latest = last();
        return latest == null ? 0 : latest.sequence();
    }

    private long lastOwn() {
        return log.stream()
                .filter(one -> one.server() == id)
                .mapToLong(Transaction::sequence)
                .max()
                .orElse(0);
    }
}
