package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a server reads when it starts is that of its own revision. */
class SettingsTest {

    private static final String CHANGED =
            "size: 3\nconfig: {max_connections: 77}\nupdateStrategy: {canary: {replicas: 1}}\n";

    private final SimulatedCluster cluster = SimulatedCluster.running("size: 3\n");

    private String read(int ordinal) {
        return cluster.context
                .get(ConfigMap.class, settingsOf(ordinal))
                .orElseThrow()
                .getData()
                .get("my.cnf");
    }

    private String settingsOf(int ordinal) {
        return cluster.pod(ordinal).getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals("config"))
                .map(Volume::getConfigMap)
                .findFirst()
                .orElseThrow()
                .getName();
    }

    private Set<String> all() {
        return cluster.context.list(ConfigMap.class).stream()
                .map(map -> map.getMetadata().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void a_member_that_waits_behind_the_canary_starts_with_the_settings_it_had() {
        cluster.spec(CHANGED);

        cluster.turns(20);

        assertThat(cluster.status().updatedReplicas()).isEqualTo(1);
        assertThat(read(2)).contains("max_connections=77");
        assertThat(read(0)).doesNotContain("\nmax_connections");
        assertThat(cluster.context.list(ConfigMap.class))
                .hasSize(2)
                .allSatisfy(map -> assertThat(map.getImmutable()).isTrue());
    }

    @Test
    void settings_are_removed_once_nobody_runs_with_them() {
        String before = settingsOf(0);
        cluster.spec(CHANGED);
        cluster.turns(20);
        assertThat(all()).contains(before).hasSize(2);

        cluster.annotate(
                "database.example.com/promote-revision",
                String.valueOf(cluster.status().updateRevision()));
        cluster.settle();
        cluster.turns(3);

        assertThat(all()).containsExactly(settingsOf(0)).doesNotContain(before);
        assertThat(cluster.made("GET")).isEmpty();
    }

    @Test
    void the_one_that_all_had_in_common_before_goes_when_all_have_their_own() {
        cluster.context.put(new ConfigMapBuilder()
                .withNewMetadata()
                .withName("db-config")
                .withNamespace("default")
                .withLabels(ClusterNames.labels("db"))
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(cluster.cluster().getApiVersion())
                        .withKind("MySQLCluster")
                        .withName("db")
                        .withUid(cluster.cluster().getMetadata().getUid())
                        .withController(true)
                        .build())
                .endMetadata()
                .addToData("my.cnf", "[mysqld]")
                .build());
        cluster.node.kill("db-2");
        cluster.turns(3);
        assertThat(all()).contains("db-config");

        cluster.node.bringBack("db-2");
        cluster.settle();

        assertThat(all()).containsExactly(settingsOf(0));
    }

    @Test
    void going_back_to_earlier_settings_is_going_back_to_the_earlier_revision() {
        String before = settingsOf(0);
        String revision = String.valueOf(cluster.status().updateRevision());
        cluster.spec(CHANGED);
        cluster.turns(20);

        cluster.spec("size: 3\nupdateStrategy: {canary: {replicas: 1}}\n");
        cluster.settle();

        assertThat(cluster.status().updateRevision()).isEqualTo(revision);
        assertThat(settingsOf(2)).isEqualTo(before);
    }
}
