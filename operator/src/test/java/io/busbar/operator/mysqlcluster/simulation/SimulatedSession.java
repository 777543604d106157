package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.Application;
import io.busbar.operator.mysqlcluster.sql.Contents;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Disk;
import io.busbar.operator.mysqlcluster.sql.Encryption;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Load;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SourceState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import io.busbar.operator.mysqlcluster.sql.StoppedEvents;
import io.busbar.operator.mysqlcluster.sql.Trust;
import io.busbar.operator.mysqlcluster.sql.Upstream;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A way to one server, as the operator's or as a program's. Any thread. */
record SimulatedSession(
        Account account,
        Optional<Trust> trust,
        SimulatedServer server,
        SimulatedServers servers,
        Calls calls,
        Reach reach)
        implements DatabaseServer {

    private <R> R ask(String what, Calls.Call<R, SqlFailure> call) throws SqlFailure {
        return calls.ask(what, () -> {
            requireReachable();
            requireAnswer();
            return call.make();
        });
    }

    private void change(String what, Runnable effect) throws SqlFailure {
        calls.<Boolean, SqlFailure>change(
                what + " " + server.pod,
                () -> {
                    requireReachable();
                    effect.run();
                    requireAnswer();
                    return true;
                },
                message -> new SqlFailure(Kind.UNREACHABLE, message, null));
    }

    private void requireReachable() throws SqlFailure {
        if (server.refusals > 0) {
            server.refusals--;
            throw SimulatedServers.away(server);
        }
        if (trust.isPresent() && !server.isTrustedBy(trust.get())) {
            throw SimulatedServers.away(server);
        }
        if (!server.up || server.cutOff || server.silent || !reach.gets(server)) {
            throw SimulatedServers.away(server);
        }
    }

    private void requireAnswer() throws SqlFailure {
        if (!reach.hears(server)) {
            throw SimulatedServers.away(server);
        }
    }

    private void requireAdmitted() throws SqlFailure {
        if (!server.admits(account.user(), account.password()) || (server.asksForTls && trust.isEmpty())) {
            servers.denials.add(account + " at " + server.pod);
            throw new SqlFailure(Kind.DENIED, account + " is denied", null);
        }
    }

    @Override
    public ServerState observe() throws SqlFailure {
        return ask("observe", () -> {
            requireAdmitted();
            return server.state();
        });
    }

    @Override
    public Load load() throws SqlFailure {
        return ask("load", () -> {
            requireAdmitted();
            return server.load;
        });
    }

    @Override
    public Optional<Disk> disk() throws SqlFailure {
        return ask("disk", () -> Optional.ofNullable(server.disk));
    }

    @Override
    public void forgetBirth() {}

    @Override
    public void createAccounts(Accounts accounts) throws SqlFailure {
        change("createAccounts", () -> {
            server.setPasswords(accounts.operator());
            server.setPasswords(accounts.replication());
            server.application = accounts.application().orElse(null);
            accounts.application().map(Application::account).ifPresent(server::setPasswords);
            server.passwords.remove(ClusterNames.EXPORTER);
            accounts.exporter().ifPresent(server::setPasswords);
            if (accounts.ownsRoot() && accounts.root() != null) {
                server.setPasswords(accounts.root());
            }
        });
    }

    @Override
    public Encryption encryption(Accounts accounts, X509Certificate newest) throws SqlFailure {
        return ask("encryption", () -> server.encryption(newest));
    }

    @Override
    public void reloadCertificate() throws SqlFailure {
        change("reloadCertificate", () -> server.shown = server.files);
    }

    @Override
    public void requireEncryption(Accounts accounts, boolean required) throws SqlFailure {
        change("requireEncryption", () -> server.asksForTls = required);
    }

    @Override
    public boolean hasApplication(Application application) throws SqlFailure {
        return ask("hasApplication", () -> {
            Application its = server.application;
            return its != null
                    && its.account().user().equals(application.account().user())
                    && its.database().equals(application.database());
        });
    }

    @Override
    public boolean isExporterAsWanted(Accounts accounts) throws SqlFailure {
        return ask(
                "isExporterAsWanted",
                () -> server.passwords.containsKey(ClusterNames.EXPORTER)
                        == accounts.exporter().isPresent());
    }

    @Override
    public void createDatabase(String name) throws SqlFailure {
        ask("createDatabase", () -> server.databases.add(name));
    }

    /** Nobody here looks at what is in the servers. */
    @Override
    public Contents contents() {
        throw new UnsupportedOperationException("simulated servers have no contents");
    }

    @Override
    public void makeReadOnly() throws SqlFailure {
        change("makeReadOnly", () -> server.readOnly = true);
    }

    @Override
    public void makeWritable() throws SqlFailure {
        change("makeWritable", () -> server.readOnly = false);
    }

    @Override
    public StoppedEvents stoppedEvents() throws SqlFailure {
        return ask("stoppedEvents", server::stoppedEvents);
    }

    @Override
    public void enableEvents(Collection<String> disabled) throws SqlFailure {
        change("enableEvents", () -> servers.runEvents(server, disabled));
    }

    @Override
    public void acknowledgeByReplicas(int replicas) throws SqlFailure {
        change("acknowledgeByReplicas", () -> servers.waitForReplicas(server, replicas));
    }

    @Override
    public void closeClients() throws SqlFailure {
        change("closeClients", server::closeClients);
    }

    @Override
    public void follow(Endpoint source, Account replication, boolean own) throws SqlFailure {
        change("follow", () -> server.follow(source, replication.password(), own));
    }

    @Override
    public void admitReplicas(Account replication) throws SqlFailure {
        change("admitReplicas", () -> server.admitsReplicas = true);
    }

    @Override
    public void follow(Upstream upstream) throws SqlFailure {
        change(
                "followOutside",
                () -> server.follow(upstream.endpoint(), upstream.account().password(), false));
    }

    @Override
    public SourceState asSource() throws SqlFailure {
        return ask("asSource", () -> {
            requireAdmitted();
            return server.asSource();
        });
    }

    @Override
    public List<String> tablesWithoutTransactions() throws SqlFailure {
        return ask("tablesWithoutTransactions", List::of);
    }

    @Override
    public void reconnect(Endpoint source, Account replication) throws SqlFailure {
        change("reconnect", () -> {
            server.reconnect(source, replication.password());
            servers.replicate(server);
        });
    }

    @Override
    public void stopReceiving() throws SqlFailure {
        change("stopReceiving", server::stopReceiving);
    }

    @Override
    public void stopFollowing() throws SqlFailure {
        change("stopFollowing", () -> server.link = null);
    }

    @Override
    public boolean awaitReceived(Duration patience) throws SqlFailure {
        return ask("awaitReceived", () -> {
            server.apply();
            return server.link == null || server.link.relayed.isEmpty();
        });
    }

    @Override
    public boolean awaitApplied(Position position, Duration patience) throws SqlFailure {
        return ask("awaitApplied", () -> {
            servers.replicate();
            return server.history().contains(position);
        });
    }

    @Override
    public Freeze freeze(Duration patience) throws SqlFailure {
        Freeze freeze = null;
        try {
            change("freeze", () -> server.frozen = true);
            freeze = frozen(ask("freeze", server::history));
            return freeze;
        } finally {
            if (freeze == null) {
                unlock();
            }
        }
    }

    /** As the end of the connection does, whoever it ends. */
    private void unlock() {
        calls.meanwhile(() -> servers.unlock(server));
    }

    private Freeze frozen(Position all) {
        return new Freeze() {

            @Override
            public Position position() {
                return all;
            }

            @Override
            public void close() {
                unlock();
            }
        };
    }

    @Override
    public void erase() throws SqlFailure {
        change("erase", server::erase);
    }

    @Override
    public void seed(String position) throws SqlFailure {
        change("seed", () -> server.seed(position));
    }

    @Override
    public Optional<String> offerCopy(Account replication) throws SqlFailure {
        change("offerCopy", () -> {});
        return server.hasOtherTables ? Optional.of("a table is not of InnoDB") : Optional.empty();
    }

    @Override
    public void beginCopy(Endpoint donor, Account replication) throws SqlFailure {
        change("beginCopy", () -> server.beginCopy(donor));
    }

    @Override
    public void acceptCopy() throws SqlFailure {
        change("acceptCopy", server::acceptCopy);
    }

    @Override
    public void close() {
        // There is nothing to let go.
    }
}
