package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.sql.Replication;

/** What holds of every cluster that has settled, whatever happened to it. Pure. */
final class Whole {

    private Whole() {}

    static void check(SimulatedCluster cluster) {
        String primary = String.valueOf(cluster.status().currentPrimary());
        assertThat(cluster.writable()).as("writable: %s", cluster).containsExactly(primary);
        SimulatedServer source = cluster.servers.of(primary);
        assertThat(source.rows)
                .as("the primary has what was acknowledged: %s", cluster)
                .containsAll(cluster.servers.acknowledged());
        for (int ordinal = 0; ordinal < cluster.status().replicas(); ordinal++) {
            SimulatedServer server = cluster.server(ordinal);
            boolean isPrimary = server == source;
            assertThat(cluster.role(ordinal)).as("role: %s", cluster).isEqualTo(isPrimary ? "primary" : "replica");
            assertThat(server.waitsFor)
                    .as("replicas that %s waits for: %s", server.pod, cluster)
                    .isEqualTo(
                            isPrimary ? cluster.cluster().wanted().replication().acknowledgementsRequired() : 0);
            if (!isPrimary) {
                follows(cluster, server, source);
            }
        }
        assertThat(source.link).as("the primary follows nobody").isNull();
    }

    private static void follows(SimulatedCluster cluster, SimulatedServer replica, SimulatedServer source) {
        Link link = replica.link;
        assertThat(link).as("%s follows: %s", replica.pod, cluster).isNotNull();
        assertThat(source.isAt(link.source))
                .as("%s follows %s: %s", replica.pod, link.source, cluster)
                .isTrue();
        assertThat(link.io).as("%s: %s", replica.pod, cluster).isEqualTo(Replication.Io.YES);
        assertThat(link.sqlRunning).as("%s: %s", replica.pod, cluster).isTrue();
        cluster.servers.replicate();
        assertThat(replica.rows).as("rows of %s: %s", replica.pod, cluster).isEqualTo(source.rows);
    }
}
