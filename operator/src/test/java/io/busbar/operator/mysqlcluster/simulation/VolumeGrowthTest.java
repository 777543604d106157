package io.busbar.operator.mysqlcluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Volumes grow to the size of the spec, and no server notices. */
class VolumeGrowthTest {

    private static final String SMALL = "size: 3\nreplication: {semiSync: true}\nstorage: {size: 1Gi}\n";
    private static final String LARGE = "size: 3\nreplication: {semiSync: true}\nstorage: {size: 3Gi}\n";
    private static final Quantity GROWN = new Quantity("3Gi");

    private static List<String> uids(SimulatedCluster cluster, Class<? extends HasMetadata> type) {
        return cluster.context.list(type).stream()
                .map(object -> object.getMetadata().getUid())
                .toList();
    }

    private static List<Quantity> requests(SimulatedCluster cluster) {
        return cluster.context.list(PersistentVolumeClaim.class).stream()
                .map(claim -> claim.getSpec().getResources().getRequests().get("storage"))
                .toList();
    }

    @Test
    void each_volume_grows_and_new_members_have_the_new_size_and_no_pod_is_replaced() {
        SimulatedCluster cluster = SimulatedCluster.running(SMALL);
        List<String> pods = uids(cluster, Pod.class);
        List<String> before = uids(cluster, StatefulSet.class);

        cluster.spec(LARGE);
        cluster.until(() -> GROWN.equals(cluster.status().volumeSize()));
        cluster.settle();

        assertThat(requests(cluster)).hasSize(3).containsOnly(GROWN);
        StatefulSet set = cluster.context.list(StatefulSet.class).get(0);
        assertThat(ClusterObjects.volumeSize(set)).isEqualTo(GROWN);
        assertThat(uids(cluster, StatefulSet.class)).isNotEqualTo(before);
        assertThat(uids(cluster, Pod.class)).isEqualTo(pods);
        assertThat(cluster.context.list(Pod.class))
                .allSatisfy(pod -> assertThat(pod.getMetadata().getOwnerReferences())
                        .singleElement()
                        .satisfies(owner -> assertThat(owner.getUid())
                                .isEqualTo(set.getMetadata().getUid())));
        assertThat(cluster.told("FailoverStarted")).isZero();
        Whole.check(cluster);
    }

    @Test
    void nothing_is_written_while_nothing_is_to_grow() {
        SimulatedCluster cluster = SimulatedCluster.running(SMALL);
        cluster.turns(2);
        cluster.calls.forget();

        cluster.turns(20);

        assertThat(cluster.made("PATCH")).isEmpty();
        assertThat(cluster.made("delete")).isEmpty();
        assertThat(cluster.status().volumeSize()).isEqualTo(new Quantity("1Gi"));
    }

    @Test
    void a_volume_that_is_larger_already_stays_as_it_is() {
        SimulatedCluster cluster = SimulatedCluster.running(SMALL);
        PersistentVolumeClaim larger =
                cluster.context.get(PersistentVolumeClaim.class, "data-db-1").orElseThrow();
        larger.getSpec().getResources().getRequests().put("storage", new Quantity("9Gi"));
        cluster.context.put(larger);

        cluster.spec(LARGE);
        cluster.until(() -> GROWN.equals(cluster.status().volumeSize()));

        assertThat(requests(cluster)).containsExactly(GROWN, new Quantity("9Gi"), GROWN);
    }

    @Test
    void a_member_that_comes_meanwhile_gets_as_large_a_volume() {
        SimulatedCluster cluster = SimulatedCluster.running(SMALL);

        cluster.spec(LARGE.replace("size: 3\n", "size: 4\n"));
        cluster.until(() ->
                GROWN.equals(cluster.status().volumeSize()) && cluster.status().readyReplicas() == 4);

        assertThat(requests(cluster)).hasSize(4).containsOnly(GROWN);
    }

    /** One that no Pod uses may not grow before one does: it must not hold up the others. */
    @Test
    void the_volume_of_a_member_that_has_gone_grows_when_the_member_comes_back() {
        SimulatedCluster cluster = SimulatedCluster.running(SMALL);
        cluster.spec(SMALL.replace("size: 3\n", "size: 2\n"));
        cluster.settle();

        cluster.spec(LARGE.replace("size: 3\n", "size: 2\n"));
        cluster.until(() -> GROWN.equals(cluster.status().volumeSize()));
        assertThat(requests(cluster)).containsExactly(GROWN, GROWN, new Quantity("1Gi"));

        cluster.spec(LARGE);
        cluster.until(() -> cluster.status().readyReplicas() == 3);
        cluster.settle();
        assertThat(requests(cluster)).containsOnly(GROWN);
    }

    @Test
    void volumes_that_are_growing_are_told_of() {
        SimulatedCluster cluster = SimulatedCluster.running(SMALL);

        cluster.spec(LARGE);
        cluster.reconcile();

        cluster.reconcile();
        assertThat(cluster.reason(ConditionTypes.PROGRESSING)).isEqualTo("VolumesGrowing");
        assertThat(cluster.message(ConditionTypes.PROGRESSING)).contains("data-db-2 is growing to 3Gi");
    }
}
