package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Passwords are changed under programs that write and read; none of their statements fails. */
@WithDatabases
@Order(EndToEnd.LONG)
class MySQLRotationIT {

    private static final Map<String, String> ACCOUNTS = Map.of(
            "root", "root-password",
            "busbar_operator", "operator-password",
            "busbar_replication", "replication-password",
            "busbar_application", "application-password");

    private final Cluster cluster;
    private final Databases databases;

    MySQLRotationIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void passwords_change_and_no_statement_fails() throws Exception {
        databases.create(
                "turn",
                "size: 3, failover: {delaySeconds: 3600}, replication: {semiSync: true},"
                        + " auth: {rotation: {application: true, passwordRetentionSeconds: 12}}");
        databases.running("turn", 3);
        Map<String, String> before = passwords();
        List<Integer> trouble = trouble();
        Programs programs = new Programs();
        programs.start();

        rotate("one");

        programs.end();
        assertThat(programs.failures).isEmpty();
        assertThat(programs.statements.get()).isPositive();
        Map<String, String> after = passwords();
        assertThat(after.values()).doesNotContainAnyElementsOf(before.values());
        for (String member : databases.status("turn").nodes()) {
            after.forEach((user, password) -> login(member, user, password));
            before.forEach((user, password) -> assertThatThrownBy(() -> login(member, user, password))
                    .as("%s at %s with the old password", user, member)
                    .hasMessageContaining("denied"));
        }
        databases.awaitEvents("turn", "PasswordsRotated");
        assertThat(trouble()).isEqualTo(trouble);

        cluster.patch(
                cluster.get(MySQLCluster.class, "turn"), "{\"spec\":{\"size\":4,\"failover\":{\"delaySeconds\":1}}}");
        databases.running("turn", 4);
        databases.server("turn-0").hold();
        databases.eventually(
                () -> assertThat(databases.status("turn").currentPrimary()).isNotEqualTo("turn-0"));
        databases.server("turn-0").release();
        MySQLClusterStatus status = databases.running("turn", 4);
        for (String member : status.nodes()) {
            databases.eventually(() -> assertThat(databases.query("turn", member, "SELECT COUNT(*) FROM app.t"))
                    .containsExactly(String.valueOf(programs.written.get())));
        }
    }

    /** How often what would be wrong was told. */
    private List<Integer> trouble() {
        return Stream.of("MemberDiverged", "MemberRecloned", "FailoverStarted", "AccessDenied")
                .map(reason -> databases.told("turn", reason))
                .toList();
    }

    private void rotate(String asked) {
        cluster.patch(
                cluster.get(MySQLCluster.class, "turn"),
                "{\"metadata\":{\"annotations\":{\"database.example.com/rotate-passwords\":\"" + asked + "\"}}}");
        databases.eventually(() -> {
            MySQLClusterStatus status = databases.status("turn");
            assertThat(status.rotation()).isNotNull();
            assertThat(status.rotation().answered()).isEqualTo(asked);
            assertThat(databases.condition("turn", "PasswordsRotated")).isEqualTo("True InPlace");
        });
    }

    /** Of each account, as the Secret has it. */
    private Map<String, String> passwords() {
        return ACCOUNTS.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> databases.password("turn", entry.getValue()),
                        (one, other) -> one,
                        TreeMap::new));
    }

    private void login(String pod, String user, String password) {
        SqlClient.connect(databases.vertx(), databases.address(pod), user, password)
                .close();
    }

    /** One writes over a connection that stays, one and some readers over a new one each time, with what the Secret has. */
    private final class Programs {

        final Queue<String> failures = new ConcurrentLinkedQueue<>();
        final AtomicInteger statements = new AtomicInteger();
        final AtomicInteger written = new AtomicInteger();
        private final List<Thread> threads = List.of(
                new Thread(this::writeOn, "program-stays"),
                new Thread(() -> again("turn-0", this::write), "program-writes"),
                new Thread(() -> again("turn-1", this::read), "program-reads-1"),
                new Thread(() -> again("turn-2", this::read), "program-reads-2"));
        private volatile boolean ends;

        private void start() {
            try (SqlClient client = connect("turn-0")) {
                client.query("CREATE TABLE app.t (id INT AUTO_INCREMENT PRIMARY KEY)");
            }
            for (String replica : List.of("turn-1", "turn-2")) {
                databases.eventually(() -> {
                    try (SqlClient client = connect(replica)) {
                        read(client);
                    }
                });
            }
            threads.forEach(Thread::start);
        }

        private SqlClient connect(String pod) {
            return SqlClient.connect(
                    databases.vertx(),
                    databases.address(pod),
                    databases.password("turn", "application-username"),
                    databases.password("turn", "application-password"));
        }

        private void write(SqlClient client) {
            client.query("INSERT INTO app.t VALUES ()");
            written.incrementAndGet();
        }

        private void read(SqlClient client) {
            client.query("SELECT COUNT(*) FROM app.t");
        }

        private void writeOn() {
            try (SqlClient client = connect("turn-0")) {
                while (!ends) {
                    write(client);
                    statements.incrementAndGet();
                }
            } catch (RuntimeException failed) {
                failures.add(Thread.currentThread().getName() + ": " + failed.getMessage());
            }
        }

        private void again(String pod, Consumer<SqlClient> statement) {
            while (!ends) {
                try (SqlClient client = connect(pod)) {
                    statement.accept(client);
                    statements.incrementAndGet();
                } catch (RuntimeException failed) {
                    failures.add(Thread.currentThread().getName() + ": " + failed.getMessage());
                }
            }
        }

        private void end() throws InterruptedException {
            ends = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
