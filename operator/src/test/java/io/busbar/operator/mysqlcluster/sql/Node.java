package io.busbar.operator.mysqlcluster.sql;

import static org.awaitility.Awaitility.await;

import io.busbar.operator.mysqlcluster.bed.LocalServer;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.reconciler.leader.Permit;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A real server with what a cluster configures, and ways to it. For one thread. */
final class Node implements AutoCloseable {

    static final Account ROOT = new Account("root", "r'o\\ot");
    static final Account OPERATOR = new Account("operator", "op");
    static final Account REPLICATION = new Account("replication", "repl");
    static final Application APPLICATION = new Application(new Account("program", "p'r\\ogram"), "my_app");
    static final Accounts ACCOUNTS = new Accounts(ROOT, OPERATOR, REPLICATION, Optional.of(APPLICATION));
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Product product;
    private final Vertx vertx;
    private final EventLoop loop;
    private final Path data;
    private final Path options;
    private final DatabaseServer server;
    private LocalServer process;
    private Statements root;

    private Node(Product product, Vertx vertx, Path data, Path options, LocalServer process) throws Exception {
        this.product = product;
        this.vertx = vertx;
        this.loop = new EventLoop(vertx);
        this.data = data;
        this.options = options;
        this.process = process;
        process.awaitAccepting(PATIENCE);
        this.server = server(ROOT);
        this.root = LocalServer.firstAnswer(PATIENCE, () -> as(ROOT));
    }

    static Node start(Product product, Vertx vertx, Path folder, int serverId, String... moreOptions) throws Exception {
        Path data = folder.resolve("data" + serverId);
        LocalServer.initialize(product, data, ROOT.password());
        Path options = folder.resolve(serverId + ".cnf");
        List<String> lines =
                new ArrayList<>(List.of("[mysqld]", "server_id=" + serverId, "log_bin=binlog", "read_only=ON"));
        lines.addAll(
                product == Product.MARIADB
                        ? List.of("log_slave_updates=ON", "gtid_strict_mode=ON", "slave_net_timeout=4")
                        : List.of(
                                "gtid_mode=ON",
                                "enforce_gtid_consistency=ON",
                                "skip_replica_start=ON",
                                "replica_net_timeout=4"));
        lines.addAll(List.of(moreOptions));
        Files.write(options, lines);
        return new Node(
                product,
                vertx,
                data,
                options,
                LocalServer.start(product, data, "127.0.2." + serverId % 100, 0, options));
    }

    /** Several at a time, since each takes a while to start. */
    static List<Node> startAll(Product product, Vertx vertx, Path folder, int... serverIds) {
        return Arrays.stream(serverIds)
                .parallel()
                .mapToObj(id -> {
                    try {
                        return start(product, vertx, folder, id);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }

    Endpoint endpoint() {
        return new Endpoint(process.address(), process.port());
    }

    LocalServer process() {
        return process;
    }

    /** As root. */
    DatabaseServer server() {
        return server;
    }

    DatabaseServer server(Account account) {
        return new VertxDatabaseServers(() -> vertx, Permit.always()).server(endpoint(), account);
    }

    /** As root, where a lock ends by itself soon after nothing is heard of it. */
    DatabaseServer server(Duration longestLock) {
        return new ConnectedServer(
                endpoint(),
                ROOT,
                () -> VertxStatements.open(vertx, loop, endpoint(), ROOT, Optional.empty(), Permit.always()),
                longestLock);
    }

    ServerState state() throws Exception {
        return server.observe();
    }

    Replication replication() throws Exception {
        return state().replication().orElseThrow();
    }

    Statements as(Account account) throws Exception {
        Statements statements =
                VertxStatements.open(vertx, loop, endpoint(), account, Optional.empty(), Permit.always());
        statements.query(ConnectedServer.SESSION);
        return statements;
    }

    /** Over a connection of root that stays. */
    List<Row> sql(String... statements) throws Exception {
        if (!root.isOpen()) {
            root = as(ROOT);
        }
        List<Row> rows = List.of();
        for (String statement : statements) {
            rows = root.query(statement);
        }
        return rows;
    }

    /** Of the table {@code shop.orders}. */
    long orders() throws Exception {
        return sql("SELECT COUNT(*) AS n FROM shop.orders").get(0).number("n");
    }

    /** Closes the connections of root that are open, and waits until the server knows. */
    void forget() throws Exception {
        server.close();
        root.close();
        try (Statements operator = as(OPERATOR)) {
            await().atMost(PATIENCE)
                    .until(() -> operator.query("SELECT 1 FROM information_schema.PROCESSLIST WHERE USER = 'root'")
                            .isEmpty());
        }
    }

    void kill() throws Exception {
        process.kill();
    }

    /** After {@link #kill}, with the same data and address. */
    void restart() throws Exception {
        process = LocalServer.start(product, data, process.address(), process.port(), options);
        process.awaitAccepting(PATIENCE);
        LocalServer.firstAnswer(PATIENCE, () -> as(ROOT)).close();
    }

    @Override
    public void close() {
        server.close();
        root.close();
        process.close();
    }
}
