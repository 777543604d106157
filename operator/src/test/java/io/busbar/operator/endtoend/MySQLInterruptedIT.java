package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator ends at one action of what it is about, before or after that takes effect, and another goes on from
 * there: the end is the same. With the property {@code busbar.chaos} it ends at each action in turn, which takes long,
 * else at a few of a switchover.
 */
@WithDatabases(alone = true)
@Order(EndToEnd.LONG)
class MySQLInterruptedIT {

    private static final String AT_LENGTH = "busbar.chaos";
    private static final String WHY = "each action of a task in turn: by -Dbusbar.chaos=PT30M";
    private static final int STRIDE =
            System.getProperty(AT_LENGTH, "").isEmpty() ? 11 : Integer.getInteger("busbar.chaos.stride", 1);
    private static final int SERVERS = 3;

    @TempDir
    private Path storage;

    private final Cluster cluster;
    private final Databases databases;
    private InterruptibleOperator operator;
    private Journal journal;

    MySQLInterruptedIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @BeforeEach
    void runs_an_operator_that_can_be_interrupted_in_place_of_the_other() throws Exception {
        Path folder = Files.createDirectories(Path.of("target", "interrupted"));
        journal = new Journal(
                folder.resolve(databases.product().name().toLowerCase(Locale.ROOT) + "-" + System.nanoTime() + ".log"));
        cluster.running().stopOperator();
        cluster.running().removeWebhooks(); // which this one does not serve
        operator = new InterruptibleOperator(cluster.running().kubeconfig());
        operator.start();
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() throws Exception {
        operator.end();
        journal.close();
        cluster.running().startOperator();
    }

    @Test
    void a_switchover_survives_it() throws Exception {
        atActions("switchover", new OnThree() {
            private String target = "";

            @Override
            public void begin(String name, int round) {
                target = next(name);
                patch(name, "{\"replication\":{\"primaryOrdinal\":" + target.substring(name.length() + 1) + "}}");
            }

            @Override
            public void check(String name, int round) {
                assertThat(primary(name)).isEqualTo(target);
            }
        });
    }

    @Test
    @EnabledIfSystemProperty(named = AT_LENGTH, matches = ".+", disabledReason = WHY)
    void a_failover_survives_it() throws Exception {
        atActions("failover", new OnThree() {
            private String lost = "";

            @Override
            public void begin(String name, int round) {
                lost = primary(name);
                databases.server(lost).hold();
            }

            @Override
            public void check(String name, int round) {
                assertThat(primary(name)).isNotEqualTo(lost);
                databases.server(lost).release();
            }
        });
    }

    @Test
    @EnabledIfSystemProperty(named = AT_LENGTH, matches = ".+", disabledReason = WHY)
    void a_copy_for_a_member_survives_it() throws Exception {
        atActions("clone", new OnThree() {
            private String emptied = "";

            @Override
            public void begin(String name, int round) {
                emptied = next(name);
                databases.server(emptied).loseData();
            }

            @Override
            public void check(String name, int round) {
                databases.queryAsOperator(name, emptied, "SELECT COUNT(*) FROM " + RowWriter.TABLE);
            }
        });
    }

    @Test
    @EnabledIfSystemProperty(named = AT_LENGTH, matches = ".+", disabledReason = WHY)
    void a_rollout_survives_it() throws Exception {
        atActions("rollout", new OnThree() {
            @Override
            public void begin(String name, int round) {
                patch(name, "{\"config\":{\"max_connections\":" + (200 + round) + "}}");
            }

            @Override
            public void check(String name, int round) {
                for (String pod : databases.status(name).nodes()) {
                    assertThat(databases.queryAsOperator(name, pod, "SELECT @@GLOBAL.max_connections"))
                            .containsExactly(Integer.toString(200 + round));
                }
            }
        });
    }

    @Test
    @EnabledIfSystemProperty(named = AT_LENGTH, matches = ".+", disabledReason = WHY)
    void a_restore_survives_it() throws Exception {
        atActions("restore", new Restore());
    }

    private void atActions(String what, Interruptions.Task task) throws Exception {
        Interruptions interruptions = new Interruptions(cluster, databases, operator, journal, what, task);
        try {
            interruptions.atActions(STRIDE);
        } finally {
            interruptions.end();
        }
    }

    private abstract static class OnThree implements Interruptions.Task {

        @Override
        public String spec() {
            return "size: 3, failover: {delaySeconds: 0}, replication: {semiSync: true}";
        }
    }

    /** Of three rows, to which another one has come. */
    private final class Restore implements Interruptions.Task {

        @Override
        public String spec() {
            return "size: 2, failover: {delaySeconds: 0}, backup: {storage: {hostPath: " + storage + "}}";
        }

        @Override
        public boolean whileWritten() {
            return false;
        }

        @Override
        public void prepare(String name) {
            query(name, "CREATE DATABASE shop");
            query(name, "CREATE TABLE shop.orders (id INT PRIMARY KEY)");
            query(name, "INSERT INTO shop.orders VALUES (1), (2), (3)");
            create(MySQLBackup.class, name, "clusterName: " + name);
            databases.eventually(
                    () -> assertThat(cluster.get(MySQLBackup.class, name).told().phase())
                            .isEqualTo("Complete"));
        }

        @Override
        public void begin(String name, int round) {
            query(name, "INSERT INTO shop.orders VALUES (7)");
            create(MySQLRestore.class, name + "-" + round, "clusterName: " + name + ", backupName: " + name);
        }

        @Override
        public void check(String name, int round) {
            assertThat(cluster.get(MySQLRestore.class, name + "-" + round)
                            .told()
                            .phase())
                    .isEqualTo("Complete");
            for (String pod : databases.status(name).nodes()) {
                assertThat(databases.queryAsOperator(name, pod, "SELECT id FROM shop.orders ORDER BY id"))
                        .containsExactly("1", "2", "3");
            }
        }

        private List<String> query(String name, String sql) {
            return databases.queryAsOperator(name, primary(name), sql);
        }
    }

    private String primary(String name) {
        return String.valueOf(databases.status(name).currentPrimary());
    }

    /** The member after the primary. */
    private String next(String name) {
        int ordinal = Integer.parseInt(primary(name).substring(name.length() + 1));
        return name + "-" + (ordinal + 1) % SERVERS;
    }

    private void patch(String name, String spec) {
        cluster.patch(cluster.get(MySQLCluster.class, name), "{\"spec\":" + spec + "}");
    }

    private void create(Class<? extends HasMetadata> type, String name, String spec) {
        cluster.create(type, """
                apiVersion: database.example.com/v1alpha1
                kind: %s
                metadata: {name: %s, namespace: %s}
                spec: {%s}
                """.formatted(type.getSimpleName(), name, cluster.namespace(), spec));
    }
}
