package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.LocalServer;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.bed.Programs;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Accounts;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.sql.VertxDatabaseServers;
import io.busbar.reconciler.leader.Permit;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The servers that the commands of Jobs are run against, and the programs that these find. For one thread. */
final class ScriptServers implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    final Programs programs;
    private final Product product;
    private final Path folder;
    private final Vertx vertx = Vertx.vertx();
    private final List<LocalServer> started = new ArrayList<>();
    private final Map<LocalServer, Integer> administrationPorts = new HashMap<>();

    /**
     * @param folder that all data goes to
     */
    ScriptServers(Product product, Path folder) throws IOException {
        this.product = product;
        this.folder = folder;
        this.programs = Programs.of(product);
    }

    /** A server that has these accounts. */
    LocalServer start(String name, String network, int serverId, Accounts accounts) throws Exception {
        LocalServer.initialize(product, folder.resolve(name), accounts.root().password());
        int port;
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByName(network + serverId))) {
            port = any.getLocalPort();
        }
        Path options = Files.write(
                folder.resolve(name + ".cnf"),
                Stream.concat(
                                Stream.of("[mysqld]", "server_id=" + serverId, "log_bin=binlog"),
                                product == Product.MARIADB
                                        ? Stream.of("log_slave_updates=ON", "gtid_strict_mode=ON", "extra_port=" + port)
                                        : Stream.of(
                                                "gtid_mode=ON",
                                                "enforce_gtid_consistency=ON",
                                                "admin_address=" + network + serverId,
                                                "admin_port=" + port))
                        .toList());
        LocalServer server = LocalServer.start(product, folder.resolve(name), network + serverId, 0, options);
        started.add(server);
        administrationPorts.put(server, port);
        server.awaitAccepting(PATIENCE);
        try (DatabaseServer root = connect(server, accounts.root())) {
            LocalServer.firstAnswer(PATIENCE, root::observe);
            root.createAccounts(accounts);
        }
        return server;
    }

    /** Another one than members have: servers of several tests may be at one address. */
    int administrationPort(LocalServer server) {
        return Objects.requireNonNull(administrationPorts.get(server));
    }

    DatabaseServer connect(LocalServer server, Account account) {
        return new VertxDatabaseServers(() -> vertx, Permit.always()).server(endpoint(server), account);
    }

    static Endpoint endpoint(LocalServer server) {
        return new Endpoint(server.address(), server.port());
    }

    ServerState state(LocalServer server, Account account) throws IOException, InterruptedException {
        try (DatabaseServer session = connect(server, account)) {
            return session.observe();
        } catch (SqlFailure failure) {
            throw new IOException(failure);
        }
    }

    /** The command line of a client that says this and ends. */
    ProcessBuilder client(LocalServer server, Account account, String statements) {
        ProcessBuilder client = new ProcessBuilder(new ArrayList<>(Stream.concat(
                        programs.client().stream(),
                        Stream.of(
                                "--protocol=tcp",
                                "--skip-column-names",
                                "--batch",
                                "--host=" + server.address(),
                                "--port=" + server.port(),
                                "--user=" + account.user(),
                                "--execute=" + statements))
                .toList()));
        client.environment().put("MYSQL_PWD", account.password());
        return client.redirectErrorStream(true);
    }

    /** What such a client prints. */
    String sql(LocalServer server, Account account, String statements) throws Exception {
        Process running = client(server, account, statements).start();
        String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(running.waitFor()).as(said).isZero();
        return said;
    }

    @Override
    public void close() {
        started.forEach(LocalServer::close);
        vertx.close().await();
    }
}
