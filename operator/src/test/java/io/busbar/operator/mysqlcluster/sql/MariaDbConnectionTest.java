package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.mysqlcluster.bed.Product;
import io.busbar.operator.mysqlcluster.observe.Together;
import io.busbar.operator.mysqlcluster.sql.SqlFailure.Kind;
import io.busbar.reconciler.leader.Fence;
import io.busbar.reconciler.leader.FencedException;
import io.busbar.reconciler.leader.Permit;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** One real server, and all the ways in which it may not answer. */
@EnabledIf(
        value = "io.busbar.operator.mysqlcluster.bed.Product#hasMariaDb",
        disabledReason = "mariadbd is not installed")
class MariaDbConnectionTest {

    @TempDir
    private static Path folder;

    private static Vertx vertx;
    private static Node node;
    private static VertxDatabaseServers servers;

    @BeforeAll
    static void start() throws Exception {
        vertx = Vertx.vertx();
        node = Node.start(Product.MARIADB, vertx, folder, 111, "extra_port=" + Endpoint.ADMINISTRATION_PORT);
        servers = new VertxDatabaseServers(() -> vertx, Permit.always());
    }

    @AfterAll
    static void stop() {
        node.close();
        vertx.close().await();
    }

    private static DatabaseServer asRoot() {
        return servers.server(node.endpoint(), Node.ROOT);
    }

    private static SqlFailure failure(ThrowingCallable what) {
        return catchThrowableOfType(SqlFailure.class, what);
    }

    @Test
    void a_worker_verticle_may_wait_for_a_server() throws Exception {
        CompletableFuture<ServerState> seen = new CompletableFuture<>();
        VerticleBase worker = new VerticleBase() {
            @Override
            public Future<?> start() throws Exception {
                assertThat(Context.isOnWorkerThread()).isTrue();
                VertxDatabaseServers its = new VertxDatabaseServers(() -> vertx, Permit.always());
                try (DatabaseServer server = its.server(node.endpoint(), Node.ROOT)) {
                    server.makeReadOnly();
                    seen.complete(server.observe());
                }
                return Future.succeededFuture();
            }
        };
        vertx.deployVerticle(worker, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER))
                .await();
        assertThat(seen).isCompletedWithValueMatching(state -> state.serverId() == 111 && state.isBlank());
    }

    @Test
    void a_member_that_has_no_connection_left_is_asked_at_its_port_for_administration() throws Exception {
        node.sql("SET GLOBAL max_connections = 10");
        List<Statements> programs = new ArrayList<>();
        try (DatabaseServer member = servers.server(node.endpoint(), Node.ROOT, Optional.empty(), true)) {
            SqlFailure full = failure(() -> {
                while (true) {
                    programs.add(node.as(Node.ROOT));
                }
            });
            assertThat(full.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(full).hasMessageContaining("programs hold all of them");
            assertThat(failure(() -> asRoot().observe())).hasMessage(full.getMessage());

            assertThat(member.observe().serverId()).isEqualTo(111);
        } finally {
            programs.forEach(Statements::close);
            node.sql("SET GLOBAL max_connections = 100");
        }
    }

    /** Vert.x's client prints what nobody listens to. */
    @Test
    void a_connection_that_is_reset_between_statements_is_made_anew_without_a_word() throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try (StallingRelay relay = new StallingRelay(node.endpoint(), Long.MAX_VALUE);
                DatabaseServer server = servers.server(relay.endpoint(), Node.ROOT)) {
            server.observe();
            relay.reset();

            await().ignoreExceptionsInstanceOf(SqlFailure.class).until(() -> {
                server.observe();
                return relay.connections() > 1;
            });
        } finally {
            System.setErr(before);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("SocketException");
    }

    @Test
    void an_event_loop_may_not() {
        Promise<ServerState> answer = Promise.promise();
        vertx.runOnContext(nothing -> {
            try (DatabaseServer server = asRoot()) {
                answer.complete(server.observe());
            } catch (SqlFailure | InterruptedException | RuntimeException e) {
                answer.fail(e);
            }
        });
        assertThatThrownBy(() -> answer.future().await()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_replica_that_leads_no_more_says_nothing_on_a_connection_that_it_has() throws Exception {
        Fence fence = open();
        VertxDatabaseServers its = new VertxDatabaseServers(() -> vertx, fence);
        try (DatabaseServer server = its.server(node.endpoint(), Node.ROOT);
                DatabaseServer another = asRoot()) {
            server.makeWritable();
            fence.shut();
            assertThatThrownBy(server::makeReadOnly)
                    .isInstanceOf(FencedException.class)
                    .hasMessage("SQL to " + node.endpoint() + ": not sent, since this replica does not lead");
            assertThatThrownBy(() -> server.createAccounts(Node.ACCOUNTS)).isInstanceOf(FencedException.class);
            assertThat(another.observe().readOnly()).isFalse();
        }
    }

    @Test
    void a_thread_that_helps_says_nothing_once_the_object_is_another_replicas() throws Exception {
        Fence fence = open();
        AtomicBoolean ours = new AtomicBoolean(true);
        Together together = Together.onThreads().with(fence);
        VertxDatabaseServers its = new VertxDatabaseServers(() -> vertx, fence);
        try (DatabaseServer server = its.server(node.endpoint(), Node.ROOT)) {
            List<String> saids = fence.with(ours::get, () -> {
                List<String> said = new ArrayList<>(together.map(List.of(server), MariaDbConnectionTest::said));
                ours.set(false);
                said.addAll(together.map(List.of(server), MariaDbConnectionTest::said));
                return said;
            });
            assertThat(saids)
                    .containsExactly(
                            "said", "SQL to " + node.endpoint() + ": not sent, since this replica does not lead");
        }
    }

    private static String said(DatabaseServer server) throws InterruptedException {
        try {
            server.makeWritable();
            return "said";
        } catch (SqlFailure failed) {
            return "failed";
        } catch (FencedException fenced) {
            return fenced.getMessage();
        }
    }

    /** For as long as it takes. */
    private static Fence open() {
        Fence fence = new Fence(() -> 0);
        fence.openUntil(1);
        return fence;
    }

    @Test
    void a_wrong_password_is_denied_without_being_told() {
        try (DatabaseServer server = servers.server(node.endpoint(), new Account("root", "not-this-one"))) {
            SqlFailure failure = failure(server::observe);
            assertThat(failure.kind()).isEqualTo(Kind.DENIED);
            assertThat(failure).hasMessageContaining(node.endpoint() + ": connect as root");
            assertThat(failure.getMessage()).doesNotContain("not-this-one");
        }
    }

    @Test
    void nobody_listening_is_unreachable() throws IOException {
        Endpoint nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.2.99"))) {
            nobody = new Endpoint("127.0.2.99", free.getLocalPort());
        }
        try (DatabaseServer server = servers.server(nobody, Node.ROOT)) {
            assertThat(failure(server::observe).kind()).isEqualTo(Kind.UNREACHABLE);
        }
        try (DatabaseServer server = servers.server(new Endpoint("no-such-host.invalid", 3306), Node.ROOT)) {
            assertThat(failure(server::observe).kind()).isEqualTo(Kind.UNREACHABLE);
        }
    }

    @Test
    void a_server_that_hangs_is_unreachable_and_nothing_of_its_connections_stays() throws Exception {
        try (Statements connected = node.as(Node.ROOT);
                DatabaseServer fresh = asRoot()) {
            long before = sockets();
            node.process().freeze();
            SqlFailure midway = failure(() -> connected.query("SELECT 1", Duration.ofMillis(200)));
            SqlFailure atStart = failure(fresh::observe);

            assertThat(midway.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(midway)
                    .hasMessageContaining(node.endpoint().toString())
                    .hasMessageContaining("no answer in time");
            assertThat(atStart.kind()).isEqualTo(Kind.UNREACHABLE);
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(sockets())
                            .as("those of tests before this one may go meanwhile")
                            .isLessThan(before));
        } finally {
            node.process().thaw();
        }
    }

    @Test
    void a_server_has_nothing_to_complain_about_when_connections_are_closed() throws Exception {
        node.kill();
        node.restart();
        for (int i = 0; i < 5; i++) {
            try (DatabaseServer server = asRoot()) {
                server.observe();
            }
        }
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(connections()).isEqualTo(1));
        assertThat(node.process().log()).doesNotContain("user: 'root'");
    }

    private static long connections() throws Exception {
        return node.sql(Clients.LIST).size();
    }

    /** Open ones to the server, on the client's side. */
    private static long sockets() throws IOException {
        byte[] ip = InetAddress.getByName(node.endpoint().host()).getAddress();
        String remote = String.format(
                Locale.ROOT,
                "%02X%02X%02X%02X:%04X",
                ip[3],
                ip[2],
                ip[1],
                ip[0],
                node.endpoint().port());
        long count = 0;
        for (Path table : new Path[] {Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6")}) {
            count += Files.readAllLines(table).stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(fields -> fields[2].endsWith(remote) && fields[3].equals("01"))
                    .count();
        }
        return count;
    }

    @Test
    void a_connection_that_is_lost_midway_is_unreachable_and_made_again() throws Exception {
        try (DatabaseServer server = asRoot()) {
            server.observe();
            Statements statements = node.as(Node.ROOT);
            long id = statements.row(Clients.OWN).number("id");
            Thread killer = new Thread(() -> {
                try {
                    node.sql("DO SLEEP(0.1)", "KILL " + id);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            killer.start();
            SqlFailure failure = failure(() -> statements.query("DO SLEEP(5)"));
            killer.join();

            assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(statements.isOpen()).isFalse();
        }
        try (DatabaseServer server = asRoot()) {
            server.observe();
            node.kill();
            node.restart();
            assertThat(server.observe().serverId()).isEqualTo(111);
        }
    }

    @Test
    void whoever_waits_can_be_interrupted() throws Exception {
        Statements statements = node.as(Node.ROOT);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> statements.query("DO SLEEP(5)")).isInstanceOf(InterruptedException.class);
        assertThat(statements.isOpen()).isFalse();
    }

    @Test
    void what_the_server_refuses_names_it_and_the_statement() {
        SqlFailure failure = failure(() -> node.sql("SELECT nothing FROM nowhere"));
        assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
        assertThat(failure).hasMessageContaining(node.endpoint() + ": SELECT nothing FROM nowhere: ");
    }

    @Test
    void a_secret_stays_one_even_when_the_server_repeats_it() throws Exception {
        try (Statements statements = node.as(Node.ROOT)) {
            SqlFailure failure = failure(() -> statements.secret("CREATE USER x", "CREATE USER x IDENTIFIED 'secret'"));
            assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
            assertThat(failure)
                    .hasMessage(node.endpoint() + ": CREATE USER x: error 1064")
                    .hasNoCause();
            assertThat(statements.isOpen()).isTrue();
        }
    }

    @Test
    void the_load_is_what_the_server_counts() throws Exception {
        try (DatabaseServer server = asRoot()) {
            Load before = server.load();
            server.observe();
            Load after = server.load();
            assertThat(after.queries()).isGreaterThan(before.queries());
            assertThat(after.connections()).isGreaterThanOrEqualTo(1);
            assertThat(after.threadsRunning()).isGreaterThanOrEqualTo(1);
            assertThat(after.uptimeSeconds()).isGreaterThanOrEqualTo(before.uptimeSeconds());
        }
    }
}
