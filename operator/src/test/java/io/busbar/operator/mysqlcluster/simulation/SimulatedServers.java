package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Replication;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Servers of MariaDB that replicate, in memory. It does not imitate: time that calls take, statements of clients that are in the way,
 * accounts and passwords but for those of programs and what root may, a full disk, several domains, crashes that lose what was written, binary logs that are purged but by a copy, and
 * clients that wait for a replica: what no replica has at once is written, but never acknowledged.
 *
 * <p>Any thread; all goes through {@link Calls}.
 */
final class SimulatedServers implements DatabaseServers {

    private final List<SimulatedServer> servers = new ArrayList<>();
    private final Set<Transaction> acknowledged = new LinkedHashSet<>();
    private final Calls calls;
    private final AtomicInteger sessions = new AtomicInteger();
    private int nextToAcknowledge;

    /** Whether clients are root, whom MariaDB lets write to servers that are read-only; a lock holds root up all the same. */
    boolean clientsAreRoot;

    SimulatedServers(Calls calls) {
        this.calls = calls;
    }

    SimulatedServer add(String pod, Endpoint endpoint, long id) {
        SimulatedServer server = new SimulatedServer(pod, endpoint, id);
        servers.add(server);
        return server;
    }

    void copyFrom(SimulatedServers others) {
        others.servers.forEach(server -> servers.add(server.copy()));
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
        Transaction written = server.write();
        if (isReceived(server)) {
            acknowledged.add(written);
        }
    }

    /** What waited goes on, unless its connection was closed. */
    void unlock(SimulatedServer server) {
        server.frozen = false;
        if (server.clientWaits) {
            server.clientWaits = false;
            write(server);
        }
    }

    /** One runs all that replication has stopped there but some; whoever follows it tells all that were altered as stopped. */
    void runEvents(SimulatedServer one, Collection<String> disabled) {
        for (String name : one.events("SLAVESIDE_DISABLED")) {
            servers.forEach(server -> server.events.put(name, "SLAVESIDE_DISABLED"));
            one.events.put(name, disabled.contains(name) ? "DISABLED" : "ENABLED");
        }
    }

    /** By as many replicas as it waits for, and not always the same. */
    private boolean isReceived(SimulatedServer source) {
        int missing = source.waitsFor;
        int first = nextToAcknowledge;
        for (int i = 0; i < servers.size() && missing > 0; i++) {
            SimulatedServer replica = servers.get((first + i) % servers.size());
            if (isLinked(replica, source)) {
                replica.receive(source);
                if (isLinked(replica, source)) {
                    nextToAcknowledge = first + i + 1;
                    missing--;
                }
            }
        }
        return missing == 0;
    }

    private static boolean isLinked(SimulatedServer replica, SimulatedServer source) {
        Link link = replica.link;
        return replica.up
                && !replica.silent
                && link != null
                && link.source.equals(source.endpoint)
                && link.io != Replication.Io.NO;
    }

    /** Whether somebody has a connection to it as a replica. */
    boolean isFollowed(SimulatedServer source) {
        return servers.stream().anyMatch(replica -> isLinked(replica, source));
    }

    /** Replicas receive and apply all that is there. */
    void replicate() {
        for (SimulatedServer replica : servers) {
            source(replica).ifPresent(source -> replica.receive(source));
            replica.apply();
        }
    }

    private Optional<SimulatedServer> source(SimulatedServer replica) {
        Link link = replica.link;
        return link == null
                ? Optional.empty()
                : servers.stream()
                        .filter(server -> server.endpoint.equals(link.source))
                        .findFirst();
    }

    @Override
    public DatabaseServer server(Endpoint endpoint, Account account) {
        SimulatedServer server = servers.stream()
                .filter(one -> one.endpoint.equals(endpoint))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nobody listens at " + endpoint));
        sessions.incrementAndGet();
        return new SimulatedSession(account, server, this, calls);
    }

    static SqlFailure away(SimulatedServer server) {
        return new SqlFailure(SqlFailure.Kind.UNREACHABLE, server.endpoint + ": no connection", null);
    }
}
