package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The passwords and the volumes of a cluster outlive it together, or end with it together. */
class DeletionPolicyTest {

    private static final String RETAIN = "size: 2\n";
    private static final String DELETE = "size: 2\ndeletionPolicy: Delete\n";

    private static List<HasMetadata> kept(SimulatedCluster cluster) {
        return Stream.<HasMetadata>concat(
                        cluster.context.list(Secret.class).stream(),
                        cluster.context.list(PersistentVolumeClaim.class).stream())
                .toList();
    }

    /** Names of those that the garbage collector takes away when the cluster is gone. */
    private static List<String> ofCluster(SimulatedCluster cluster) {
        String uid = cluster.cluster().getMetadata().getUid();
        return kept(cluster).stream()
                .filter(object -> object.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getUid().equals(uid)))
                .map(object -> object.getMetadata().getName())
                .toList();
    }

    @Test
    void nothing_that_is_needed_to_open_the_data_again_goes_with_the_cluster() {
        SimulatedCluster cluster = SimulatedCluster.running(RETAIN);

        assertThat(kept(cluster))
                .extracting(object -> object.getMetadata().getName())
                .containsExactly("db-auth", "data-db-0", "data-db-1");
        assertThat(ofCluster(cluster)).isEmpty();
    }

    @Test
    void both_go_with_the_cluster_where_that_is_asked_for() {
        SimulatedCluster cluster = SimulatedCluster.running(DELETE);

        assertThat(ofCluster(cluster)).containsExactly("db-auth", "data-db-0", "data-db-1");
    }

    @Test
    void a_change_of_the_policy_is_followed_both_ways() {
        SimulatedCluster cluster = SimulatedCluster.running(RETAIN);

        cluster.spec(DELETE);
        cluster.turns(2);
        assertThat(ofCluster(cluster)).containsExactly("db-auth", "data-db-0", "data-db-1");
        cluster.spec(RETAIN);
        cluster.turns(2);
        assertThat(ofCluster(cluster)).isEmpty();
    }

    @Test
    void nothing_is_written_or_asked_for_while_nothing_differs() {
        SimulatedCluster cluster = SimulatedCluster.running(DELETE);
        cluster.turns(2);
        cluster.calls.forget();

        cluster.turns(20);

        assertThat(cluster.made("PATCH")).isEmpty();
        assertThat(cluster.made("apply")).isEmpty();
    }

    @Test
    void the_reference_that_an_older_operator_gave_the_passwords_is_taken_away() {
        SimulatedCluster cluster = SimulatedCluster.running(RETAIN);
        MySQLCluster owner = cluster.cluster();
        Secret secret = cluster.context.get(Secret.class, "db-auth").orElseThrow();
        OwnerReference another = new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName("mine")
                .withUid("u-mine")
                .build();
        OwnerReference ours = new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName("db")
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
        cluster.context.put(new SecretBuilder(secret)
                .editMetadata()
                .withOwnerReferences(ours, another)
                .endMetadata()
                .build());

        cluster.newOperator();
        cluster.turns(1);

        assertThat(cluster.context
                        .get(Secret.class, "db-auth")
                        .orElseThrow()
                        .getMetadata()
                        .getOwnerReferences())
                .extracting(OwnerReference::getName)
                .containsExactly("mine");
    }

    @Test
    void a_secret_of_somebody_else_is_neither_taken_nor_changed() {
        SimulatedCluster cluster = new SimulatedCluster(DELETE);
        Secret theirs = cluster.context.put(new SecretBuilder()
                .withNewMetadata()
                .withName("db-auth")
                .withNamespace("default")
                .endMetadata()
                .addToData("token", "c2VjcmV0")
                .build());

        cluster.turns(3);

        assertThat(cluster.context.get(Secret.class, "db-auth")).contains(theirs);
        assertThat(cluster.reason(ConditionTypes.DEGRADED)).isEqualTo("ObjectNotOwned");
        assertThat(cluster.message(ConditionTypes.DEGRADED)).contains("Secret db-auth", "mysqlcluster_cr=db");
        cluster.context.remove(theirs);
        cluster.settle();
    }
}
