package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.sql.Trust;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Servers of MariaDB that replicate, in memory. It does not imitate: time that calls take, statements of clients that
 * are in the way, rights of accounts, accounts that come with a copy, a full disk, several domains, crashes that lose
 * what was written, and binary logs that are purged but by a copy.
 *
 * <p>Any thread; all goes through {@link Calls}.
 */
final class SimulatedServers implements DatabaseServers {

    /** How many write to a server at once: more would wait for the same. */
    private static final int CLIENTS = 3;

    private final List<SimulatedServer> servers = new ArrayList<>();
    private final Set<Transaction> acknowledged = new LinkedHashSet<>();
    private final Calls calls;

    /** Who was not let in, and where. */
    final List<String> denials = new ArrayList<>();

    /** How servers get through to one another. */
    final Roads roads = new Roads();

    /** Of new ones. */
    private @Nullable String version;

    private final AtomicInteger sessions = new AtomicInteger();
    private int nextToAcknowledge;

    /**
     * Whether clients are root, whom MariaDB lets write to servers that are read-only; a lock holds root up all the
     * same.
     */
    boolean clientsAreRoot;

    SimulatedServers(Calls calls) {
        this.calls = calls;
    }

    SimulatedServer add(String pod, Endpoint endpoint, long id) {
        SimulatedServer server = new SimulatedServer(pod, endpoint, id);
        if (version != null) {
            server.version = version;
        }
        servers.add(server);
        return server;
    }

    /** They say that they are of MySQL, and copy data files by themselves. */
    void copyPhysically() {
        version = "9.7.4";
        servers.forEach(server -> server.version = "9.7.4");
    }

    void copyFrom(SimulatedServers others) {
        others.servers.forEach(server -> servers.add(server.copy()));
        version = others.version;
        acknowledged.addAll(others.acknowledged);
        nextToAcknowledge = others.nextToAcknowledge;
    }

    List<SimulatedServer> all() {
        return servers;
    }

    SimulatedServer of(String pod) {
        return servers.stream()
                .filter(server -> server.pod.equals(pod))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no server of " + pod));
    }

    /** How many the operator has had by now. */
    int sessions() {
        return sessions.get();
    }

    /** What clients were told is kept. */
    Set<Transaction> acknowledged() {
        return acknowledged;
    }

    /** Clients were told that what came after is gone. */
    void forgetAllBut(Set<Transaction> kept) {
        acknowledged.retainAll(kept);
    }

    /** A client tries to write. */
    void write(SimulatedServer server) {
        if (!server.up || server.silent || (server.readOnly && !clientsAreRoot)) {
            return;
        }
        if (server.frozen) {
            server.clientWaits = true;
            return;
        }
        if (server.waitsFor > 0 && server.unacknowledged.size() >= CLIENTS) {
            return;
        }
        Transaction written = server.write();
        if (server.waitsFor == 0) {
            acknowledged.add(written);
            return;
        }
        server.unacknowledged.put(written, new HashSet<>());
        askReplicas(server);
    }

    /** Once a server waits for fewer replicas, or none, whoever waits takes the write for acknowledged. */
    void waitForReplicas(SimulatedServer server, int replicas) {
        server.waitsFor = replicas;
        acknowledge(server);
    }

    private void acknowledge(SimulatedServer server) {
        server.unacknowledged.entrySet().removeIf(entry -> {
            boolean isEnough = entry.getValue().size() >= server.waitsFor;
            if (isEnough) {
                acknowledged.add(entry.getKey());
            }
            return isEnough;
        });
    }

    /** What waited goes on, unless its connection was closed. */
    void unlock(SimulatedServer server) {
        server.frozen = false;
        if (server.clientWaits) {
            server.clientWaits = false;
            write(server);
        }
    }

    /**
     * One runs all that replication has stopped there but some; whoever follows it tells all that were altered as
     * stopped.
     */
    void runEvents(SimulatedServer one, Collection<String> disabled) {
        for (String name : one.events("SLAVESIDE_DISABLED")) {
            servers.forEach(server -> server.events.put(name, "SLAVESIDE_DISABLED"));
            one.events.put(name, disabled.contains(name) ? "DISABLED" : "ENABLED");
        }
    }

    /** As many replicas as it waits for receive what there is, and not always the same. */
    private void askReplicas(SimulatedServer source) {
        int first = nextToAcknowledge;
        for (int i = 0; i < servers.size() && !source.unacknowledged.isEmpty(); i++) {
            SimulatedServer replica = servers.get((first + i) % servers.size());
            if (isLinked(replica, source)) {
                receive(replica, source);
                nextToAcknowledge = first + i + 1;
            }
        }
    }

    /** What a replica has received it acknowledges, if it gets through to its source. */
    private void receive(SimulatedServer replica, SimulatedServer source) {
        Roads.Way way = roads.between(replica.pod, source.pod, replica.link);
        if (way == Roads.Way.NOTICED) {
            replica.loseSource();
        } else if (way != Roads.Way.NOTHING_COMES) {
            replica.receive(source);
            if (replica.link != null && replica.link.ioErrno == Replication.WRONG_PASSWORD) {
                denials.add(replica.pod + " at " + source.pod);
            }
            if (way == Roads.Way.BOTH && isLinked(replica, source)) {
                source.unacknowledged.forEach((written, replicas) -> {
                    if (replica.has(written)) {
                        replicas.add(replica.pod);
                    }
                });
                acknowledge(source);
            }
        }
    }

    private static boolean isLinked(SimulatedServer replica, SimulatedServer source) {
        Link link = replica.link;
        return replica.up
                && !replica.silent
                && link != null
                && source.isAt(link.source)
                && link.io != Replication.Io.NO;
    }

    /** Whether somebody has a connection to it as a replica. */
    boolean isFollowed(SimulatedServer source) {
        return servers.stream().anyMatch(replica -> isLinked(replica, source));
    }

    /** Replicas receive and apply all that is there. */
    void replicate() {
        for (SimulatedServer replica : servers) {
            replicate(replica);
        }
    }

    void replicate(SimulatedServer replica) {
        source(replica).ifPresent(source -> receive(replica, source));
        replica.apply();
    }

    private Optional<SimulatedServer> source(SimulatedServer replica) {
        Link link = replica.link;
        return link == null
                ? Optional.empty()
                : servers.stream().filter(server -> server.isAt(link.source)).findFirst();
    }

    @Override
    public DatabaseServer server(Endpoint endpoint, Account account, Optional<Trust> trust) {
        return server(endpoint, account, trust, calls, Reach.ALL);
    }

    /** The way of one of several operators. */
    DatabaseServers as(Calls its, Reach reach) {
        return (endpoint, account, trust) -> server(endpoint, account, trust, its, reach);
    }

    private DatabaseServer server(Endpoint endpoint, Account account, Optional<Trust> trust, Calls its, Reach reach) {
        SimulatedServer server = servers.stream()
                .filter(one -> one.endpoint.host().equals(endpoint.host()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nobody listens at " + endpoint));
        sessions.incrementAndGet();
        return new SimulatedSession(account, endpoint.encrypted() ? trust : Optional.empty(), server, this, its, reach);
    }

    static SqlFailure away(SimulatedServer server) {
        return new SqlFailure(SqlFailure.Kind.UNREACHABLE, server.endpoint + ": no connection", null);
    }
}
