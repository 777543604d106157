package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MySQLClusters are shared out, too: who works on one may end, or freeze, in the middle of what it does to servers. */
@WithDatabases(alone = true)
@Order(EndToEnd.LONG)
class MySQLShardIT {

    private final Cluster cluster;
    private final Databases databases;
    private final Map<String, String> uids = new HashMap<>();
    private ShardReplicas replicas;

    @TempDir
    private Path folder;

    MySQLShardIT(Cluster cluster, Databases databases) {
        this.cluster = cluster;
        this.databases = databases;
    }

    @BeforeEach
    void runs_two_replicas_in_place_of_the_operator_in_this_jvm() throws Exception {
        replicas = new ShardReplicas(cluster, folder, "mysql-shard-it", "mysqlcluster", "MySQLCluster", 26);
        replicas.start();
        replicas.start();
        replicas.awaitEven();
    }

    @AfterEach
    void goes_back_to_the_operator_in_this_jvm() throws Exception {
        replicas.end();
    }

    @Test
    void whoever_has_a_cluster_fails_it_over_and_one_that_had_it_does_nothing_to_its_servers() throws Exception {
        create("near");
        create("far");
        for (String name : uids.keySet()) {
            databases.running(name, 3);
        }
        List<WritableSpans> watched = uids.keySet().stream()
                .map(name -> WritableSpans.watch(databases, name, 3))
                .toList();

        databases.server("near-0").hold();
        replicas.kill(replicas.holder(uids.get("near")));
        failsOver("near");
        databases.server("far-0").hold();
        replicas.freeze(replicas.holder(uids.get("far")));
        failsOver("far");

        for (WritableSpans each : watched) {
            each.end();
            assertThat(each.failures()).isEmpty();
            assertThat(each.overlaps()).as("two writable at once").isEmpty();
        }
        assertThat(replicas.audit.trespasses(uids)).isEmpty();
        assertThat(replicas.audit.writers()).isGreaterThanOrEqualTo(2);
    }

    /** From its first member, which then comes back. */
    private void failsOver(String name) {
        databases.eventually(
                () -> assertThat(databases.status(name).currentPrimary()).isNotEqualTo(name + "-0"));
        databases.server(name + "-0").release();
        databases.running(name, 3);
    }

    private void create(String name) {
        MySQLCluster made =
                databases.create(name, "size: 3, failover: {delaySeconds: 1}, replication: {semiSync: true}");
        uids.put(name, made.getMetadata().getUid());
    }
}
