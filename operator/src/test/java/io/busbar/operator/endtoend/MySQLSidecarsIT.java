package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;

/** MySQLCluster and SidecarSet on the same Pods. */
@EndToEnd
@WithDatabases(alone = true)
class MySQLSidecarsIT {

    private final Cluster cluster;
    private final Databases databases;

    MySQLSidecarsIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @Test
    void members_have_sidecars_of_their_own_and_of_a_sidecar_set() {
        String team = cluster.namespace();
        cluster.createSet("""
                apiVersion: apps.kruise.io/v1beta1
                kind: SidecarSet
                metadata: {name: %1$s}
                spec:
                  selector: {matchLabels: {team: %1$s}}
                  containers: [{name: mesh, image: "example/mesh:1", podInjectPolicy: BeforeAppContainer}]
                  # The Node here does not tell of an image that was replaced.
                  updateStrategy: {maxUnavailable: 100%%}
                """.formatted(team));
        databases.create("aided", "size: 2", """
                labels: {team: %s}, priorityClassName: system-cluster-critical, imagePullSecrets: [{name: registry}],
                containers: [{name: exporter, image: "example/exporter:1", volumeMounts: [{name: scratch, mountPath: /s}]}],
                volumes: [{name: scratch, emptyDir: {}}],
                topologySpreadConstraints: [{maxSkew: 2, topologyKey: disk, whenUnsatisfiable: ScheduleAnyway}]
                """.formatted(team));
        MySQLClusterStatus status = databases.running("aided", 2);

        assertThat(status.currentPrimary()).as("nobody was restarted").isEqualTo("aided-0");
        databases.query("aided", "aided-0", "CREATE DATABASE shop");
        databases.eventually(() -> assertThat(databases.query(
                        "aided",
                        "aided-1",
                        "SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'shop'"))
                .containsExactly("1"));
        Pod member = cluster.get(Pod.class, "aided-1");
        assertThat(member.getSpec().getContainers())
                .extracting(Container::getName)
                .containsExactly("mesh", "mysql", "give-data-files", "exporter");
        assertThat(member.getSpec().getPriority()).isPositive();
        String was = cluster.get(Pod.class, "aided-1").getMetadata().getUid();
        cluster.patch(
                cluster.get(SidecarSet.class, team),
                "{\"spec\":{\"containers\":[{\"name\":\"mesh\",\"image\":\"example/mesh:2\"}]}}");
        databases.eventually(
                () -> assertThat(cluster.get(Pod.class, "aided-1").getSpec().getContainers())
                        .extracting(Container::getImage)
                        .contains("example/mesh:2"));
        databases.running("aided", 2);
        assertThat(cluster.get(Pod.class, "aided-1").getMetadata().getUid())
                .as("nobody restarts a member for that")
                .isEqualTo(was);
    }
}
