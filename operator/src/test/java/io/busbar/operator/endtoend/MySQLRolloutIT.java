package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

@WithDatabases
class MySQLRolloutIT {

    private final Cluster cluster;
    private final Databases databases;

    MySQLRolloutIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void stops_at_the_canary_can_go_back_and_once_approved_goes_on_with_the_primary_last() {
        databases.create("staged", "size: 3, updateStrategy: {canary: {replicas: 1}}");
        databases.running("staged", 3);
        assertThat(connections("staged-0", "staged-1", "staged-2")).containsOnly("151");

        patch("staged", "{\"config\":{\"max_connections\":77}}");
        databases.eventually(
                () -> assertThat(databases.reason("staged", "Progressing")).isEqualTo("CanaryPaused"));
        assertThat(connections("staged-0", "staged-1", "staged-2")).containsExactly("151", "151", "77");
        patch("staged", "{\"config\":null}");
        databases.eventually(() -> assertThat(connections("staged-2")).containsExactly("151"));
        databases.running("staged", 3);

        patch("staged", "{\"config\":{\"max_connections\":88}}");
        databases.eventually(
                () -> assertThat(databases.reason("staged", "Progressing")).isEqualTo("CanaryPaused"));
        cluster.annotate(
                cluster.get(MySQLCluster.class, "staged"),
                "database.example.com/promote-revision",
                databases.status("staged").updateRevision());
        databases.eventually(() ->
                assertThat(connections("staged-0", "staged-1", "staged-2")).containsOnly("88"));
        databases.running("staged", 3);
        assertThat(databases.status("staged").currentPrimary()).isEqualTo("staged-1");
        assertThat(databases.status("staged").failover().count())
                .as("failovers")
                .isZero();
        assertThat(databases.events("staged")).contains("CanaryPaused", "RolloutCompleted", "SwitchoverCompleted");
    }

    @Test
    void has_more_members_when_they_are_busy_and_no_more_than_allowed() {
        databases.create(
                "busy",
                "autoscaling: {enabled: true, minReplicas: 1, maxReplicas: 2, metric: Connections,"
                        + " target: 1, cooldownSeconds: 0}");
        databases.running("busy", 1);
        List<SqlClient> users = List.of(
                databases.connect("busy", "busy-0"),
                databases.connect("busy", "busy-0"),
                databases.connect("busy", "busy-0"));

        databases.eventually(() -> assertThat(databases.status("busy").nodes()).containsExactly("busy-0", "busy-1"));
        databases.eventually(
                () -> assertThat(databases.condition("busy", "ScalingLimited")).isEqualTo("True TooManyReplicas"));
        databases.eventually(
                () -> assertThat(databases.status("busy").readyReplicas()).isEqualTo(2));
        assertThat(databases.status("busy").targetSize()).isEqualTo(2);
        users.forEach(SqlClient::close);
    }

    private List<String> connections(String... pods) {
        return List.of(pods).stream()
                .map(pod -> databases
                        .query(pod.substring(0, pod.lastIndexOf('-')), pod, "SELECT @@GLOBAL.max_connections")
                        .get(0))
                .toList();
    }

    private void patch(String name, String spec) {
        cluster.patch(cluster.get(MySQLCluster.class, name), "{\"spec\":" + spec + "}");
    }
}
