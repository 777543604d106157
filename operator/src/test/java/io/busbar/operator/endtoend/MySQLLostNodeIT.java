package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.bed.DatabasePod;
import io.busbar.operator.mysqlcluster.bed.Product;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The Node of a primary is lost, and the cluster gets to know so late that its Pod is ready all the time. */
@WithDatabases
@Order(EndToEnd.LONG)
class MySQLLostNodeIT {

    /** Beyond those of programs that write at the same time. */
    private static final long NUMBER = 1_000_000_000;

    private final Cluster cluster;
    private final Databases databases;

    MySQLLostNodeIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void replaces_a_primary_that_goes_on_where_nobody_can_reach_it_and_keeps_what_was_acknowledged() throws Exception {
        RowWriter writer = begin("island");
        String user = databases.password("island", "application-username");
        String password = databases.password("island", "application-password");
        DatabasePod primary = databases.server("island-0");
        primary.cutOff();
        Process neighbour = primary.exec(
                databases.product() == Product.MARIADB ? "mariadb" : "mysql",
                "--user=" + user,
                "--password=" + password,
                "--execute=INSERT INTO " + RowWriter.TABLE + " VALUES (" + NUMBER + ")");
        isReplaced("island");

        primary.returnNode();
        databases.running("island", 3);
        writer.end();
        Set<Long> acknowledged = acknowledged(writer);
        if (neighbour.waitFor() == 0) {
            acknowledged.add(NUMBER);
        }
        allHave("island", acknowledged);
    }

    @Test
    void replaces_a_primary_that_died_with_its_node_and_keeps_what_was_acknowledged() throws Exception {
        RowWriter writer = begin("dead");
        databases.server("dead-0").loseNode();
        isReplaced("dead");

        databases.server("dead-0").returnNode();
        databases.running("dead", 3);
        writer.end();
        allHave("dead", acknowledged(writer));
    }

    private RowWriter begin(String name) {
        databases.create(name, "size: 3, failover: {delaySeconds: 1}, replication: {semiSync: true}");
        databases.running(name, 3);
        RowWriter writer = RowWriter.start(databases, name, 4);
        databases.eventually(() -> assertThat(writer.lastAcknowledged()).isGreaterThan(100));
        return writer;
    }

    private void isReplaced(String name) {
        databases.eventually(
                () -> assertThat(databases.status(name).currentPrimary()).isIn(name + "-1", name + "-2"));
        assertThat(Readiness.isPodReady(cluster.get(Pod.class, name + "-0")))
                .as("what the API server knows of the lost Pod")
                .isTrue();
        databases.eventually(() -> assertThat(databases.labelled(name, "primary"))
                .containsExactly(databases.status(name).currentPrimary()));
        String next = String.valueOf(databases.status(name).currentPrimary());
        databases.eventually(
                () -> databases.query(name, next, "INSERT INTO " + RowWriter.TABLE + " VALUES (" + 2 * NUMBER + ")"));
    }

    private static Set<Long> acknowledged(RowWriter writer) {
        Set<Long> numbers = new TreeSet<>();
        writer.acknowledged().forEach(one -> numbers.add(one.number()));
        return numbers;
    }

    private void allHave(String name, Set<Long> numbers) {
        for (String member : databases.status(name).nodes()) {
            databases.eventually(() -> {
                List<Long> there = databases.query(name, member, "SELECT number FROM " + RowWriter.TABLE).stream()
                        .map(Long::valueOf)
                        .toList();
                Set<Long> missing = new TreeSet<>(numbers);
                there.forEach(missing::remove);
                assertThat(missing).as("acknowledged and missing on %s", member).isEmpty();
            });
        }
    }
}
