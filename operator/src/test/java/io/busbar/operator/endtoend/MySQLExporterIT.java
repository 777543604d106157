package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.objects.DataFiles;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The exporter beside each server comes and goes with the option, and is let in while passwords are changed. */
@WithDatabases
class MySQLExporterIT {

    /** For a rollout of two, each after the other. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String ACCOUNT = "SELECT CONCAT(ssl_type, ' ', max_user_connections) FROM mysql.user"
            + " WHERE User = 'busbar_exporter' AND Host = '%'";

    private final Cluster cluster;
    private final Databases databases;

    MySQLExporterIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void it_comes_and_goes_with_the_option_and_passwords_change_under_it() {
        databases.create(
                "counted",
                "size: 2, tls: {mode: Required}, failover: {delaySeconds: 30},"
                        + " auth: {rotation: {passwordRetentionSeconds: 20}}");
        List<String> pods = databases.running("counted", 2, PATIENCE).nodes();
        pods.forEach(pod ->
                assertThat(databases.query("counted", pod, ACCOUNT)).as(pod).isEmpty());

        patch("{\"metrics\":{\"exporter\":{}}}");
        awaitContainers(pods, "mysql", "exporter");
        for (String pod : pods) {
            databases.eventually(
                    () -> assertThat(databases.query("counted", pod, ACCOUNT)).containsExactly("ANY 3"));
            isLetIn(pod);
        }

        String old = databases.password("counted", "exporter-password");
        List<Integer> refusals = pods.stream().map(this::refusals).toList();
        cluster.patch(
                cluster.get(MySQLCluster.class, "counted"),
                "{\"metadata\":{\"annotations\":{\"database.example.com/rotate-passwords\":\"now\"}}}");
        databases.eventually(() -> assertThat(databases.events("counted")).contains("PasswordsRotated"));
        assertThat(databases.password("counted", "exporter-password")).isNotEqualTo(old);
        pods.forEach(this::isLetIn);
        assertThat(pods.stream().map(this::refusals).toList()).isEqualTo(refusals);
        for (String pod : pods) {
            assertThat(catchLogin(pod, old))
                    .as("with the old password at %s", pod)
                    .contains("denied");
        }

        patch("{\"metrics\":null}");
        for (String pod : pods) {
            databases.eventually(
                    () -> assertThat(databases.query("counted", pod, ACCOUNT)).isEmpty());
        }
        awaitContainers(pods, "mysql");
        databases.running("counted", 2, PATIENCE);
    }

    /** All members run these, and serve. */
    private void awaitContainers(List<String> pods, String... names) {
        Databases.within(
                PATIENCE,
                () -> pods.forEach(
                        pod -> assertThat(cluster.get(Pod.class, pod).getSpec().getContainers())
                                .as(pod)
                                .extracting(Container::getName)
                                .filteredOn(name -> !name.equals(DataFiles.GIVES))
                                .containsExactly(names)));
        databases.running("counted", pods.size(), PATIENCE);
    }

    /** From now on, twice. */
    private void isLetIn(String pod) {
        int before = lines(pod, "up");
        databases.eventually(() -> assertThat(lines(pod, "up"))
                .as(databases.server(pod).log("exporter"))
                .isGreaterThan(before + 1));
    }

    private int refusals(String pod) {
        return lines(pod, "down");
    }

    private int lines(String pod, String word) {
        return (int) databases
                .server(pod)
                .log("exporter")
                .lines()
                .filter(line -> line.startsWith(word))
                .count();
    }

    private String catchLogin(String pod, String password) {
        try (SqlClient client = databases.connect(pod, "busbar_exporter", password)) {
            return "let in: " + client.query("SELECT 1");
        } catch (IllegalStateException denied) {
            return String.valueOf(denied.getMessage());
        }
    }

    private void patch(String spec) {
        cluster.patch(cluster.get(MySQLCluster.class, "counted"), "{\"spec\":" + spec + "}");
    }
}
