package io.busbar.operator.mysqlcluster.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SourceTest {

    private static final MySQLCluster CLUSTER = Serialization.unmarshal("""
            apiVersion: database.example.com/v1alpha1
            kind: MySQLCluster
            metadata: {name: db, namespace: ns}
            spec: {replication: {maxLagSeconds: 10}}
            status:
              members:
              - {name: db-0, role: Primary, readOnly: false}
              - {name: db-1, role: Replica, readOnly: true, sqlRunning: true, lagSeconds: 4}
              - {name: db-2, role: Replica, readOnly: true, sqlRunning: true, lagSeconds: 1}
              - {name: db-3, role: Replica, readOnly: true, sqlRunning: true, lagSeconds: 60}
              - {name: db-4, role: Diverged, readOnly: true, sqlRunning: true, lagSeconds: 0}
            """, MySQLCluster.class);

    @Test
    void is_the_replica_that_lags_least_of_those_that_are_ready() {
        assertThat(source("db-0", "db-1", "db-2", "db-3", "db-4")).contains("db-2 127.0.0.9");
        assertThat(source("db-0", "db-1", "db-3", "db-4")).contains("db-1 127.0.0.9");
    }

    @Test
    void is_the_primary_when_no_replica_keeps_up() {
        assertThat(source("db-0", "db-3", "db-4")).contains("db-0 127.0.0.9");
        assertThat(source("db-3", "db-4")).isEmpty();
    }

    @Test
    void of_a_replica_the_primary_is_told_with_whether_it_is_ready_or_not() {
        assertThat(found("db-2").orElseThrow().primary()).contains(new Endpoint("127.0.0.9", 3306));
        assertThat(found("db-0").orElseThrow().primary()).isEmpty();
    }

    private static Optional<String> source(String... ready) {
        return found(ready)
                .map(source -> source.name() + " " + source.endpoint().host());
    }

    private static Optional<Source> found(String... ready) {
        return Source.of(
                CLUSTER,
                PodAddressing.POD_IP,
                name -> Optional.of(pod(name, Set.of(ready).contains(name))));
    }

    private static Pod pod(String name, boolean ready) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .withPodIP("127.0.0.9")
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .endCondition()
                .endStatus()
                .build();
    }
}
