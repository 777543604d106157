package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@EndToEnd("podset")
class PodSetIT {

    /** A cluster that has just learnt of a kind may take half a minute to collect what is owned by its objects. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Cluster cluster;

    PodSetIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void follows_its_size_from_none_to_three_to_five_to_two() {
        PodSet set = create("follow", 0);
        ready("follow", 0);
        for (int size : List.of(3, 5, 2)) {
            resize("follow", size);
            ready("follow", size);
        }
        assertThat(active("follow")).allSatisfy(pod -> {
            assertThat(pod.getMetadata().getName()).startsWith("follow-");
            assertThat(pod.getMetadata().getLabels())
                    .containsEntry("app", "follow")
                    .containsEntry("version", "v0.1");
            assertThat(pod.getMetadata().getOwnerReferences()).singleElement().satisfies(owner -> {
                assertThat(owner.getUid()).isEqualTo(set.getMetadata().getUid());
                assertThat(owner.getController()).isTrue();
            });
            assertThat(pod.getSpec().getContainers().get(0).getCommand()).containsExactly("sleep", "3600");
        });
    }

    @Test
    void a_size_that_cannot_be_is_refused() {
        assertThatThrownBy(() -> create("negative", -1)).hasMessageContaining("spec.size");
        assertThatThrownBy(() -> cluster.create(
                        GenericKubernetesResource.class, yaml("sizeless", 1).replace("size: 1", "other: 1")))
                .hasMessageContaining("spec.size");
    }

    @Test
    void makes_a_pod_anew_that_is_deleted() {
        create("deleted", 3);
        String gone = ready("deleted", 3).get(0);
        pod(gone).delete();
        eventually(() -> assertThat(nodes("deleted")).hasSize(3).doesNotContain(gone));
        ready("deleted", 3);
    }

    @Test
    void replaces_a_pod_that_has_failed() {
        create("failed", 2);
        String ended = ready("failed", 2).get(0);
        pod(ended)
                .editStatus(pod -> new PodBuilder(pod)
                        .editStatus()
                        .withPhase("Failed")
                        .endStatus()
                        .build());
        eventually(() -> {
            assertThat(nodes("failed")).hasSize(2).doesNotContain(ended);
            assertThat(pod(ended).get()).isNull();
        });
        ready("failed", 2);
    }

    @Test
    void leaves_a_foreign_pod_with_the_same_labels_alone() {
        Pod foreign = cluster.create(
                Pod.class,
                SidecarSets.pod(cluster.namespace(), "stranger", "foreign")
                        .replace("app: foreign", "app: foreign\n    version: v0.1"));
        create("foreign", 2);
        assertThat(ready("foreign", 2)).doesNotContain("stranger");
        resize("foreign", 0);
        ready("foreign", 0);

        Pod after = pod("stranger").require();
        assertThat(after.isMarkedForDeletion()).isFalse();
        assertThat(after.getMetadata().getUid()).isEqualTo(foreign.getMetadata().getUid());
        assertThat(after.getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void is_scaled_by_its_subresource_which_tells_how_to_find_the_pods() {
        create("scaled", 1);
        ready("scaled", 1);
        set("scaled").scale(4);
        ready("scaled", 4);

        GenericKubernetesResource scale = Serialization.unmarshal(
                cluster.client()
                        .raw("/apis/apps.jicki.cn/v1alpha1/namespaces/" + cluster.namespace()
                                + "/podsets/scaled/scale"),
                GenericKubernetesResource.class);
        assertThat(scale.<Integer>get("spec", "replicas")).isEqualTo(4);
        assertThat(scale.<Integer>get("status", "replicas")).isEqualTo(4);
        String selector = scale.get("status", "selector");
        assertThat(cluster.client()
                        .pods()
                        .inNamespace(cluster.namespace())
                        .withLabelSelector(selector)
                        .list()
                        .getItems())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactlyInAnyOrderElementsOf(nodes("scaled"));
    }

    @Test
    void fifty_fast_edits_come_to_the_last_size_with_never_more_than_the_largest() {
        create("edited", 0);
        List<Integer> sizes = new Random(1).ints(49, 0, 9).boxed().toList();
        int largest = sizes.stream().mapToInt(size -> size).max().orElseThrow();
        try (PodCensus census = new PodCensus(cluster, "edited", 1)) {
            sizes.forEach(size -> resize("edited", size));
            resize("edited", 6);
            ready("edited", 6);
            eventually(() -> assertThat(census.active()).isEqualTo(6));
            assertThat(census.mostActive()).isLessThanOrEqualTo(largest);
        }
    }

    @Test
    void an_operator_that_is_killed_in_the_middle_makes_no_pod_too_many(@TempDir Path folder) throws Exception {
        int size = 40;
        Path log = folder.resolve("operator.log");
        cluster.running().stopOperator();
        Process operator = OperatorProcess.start(cluster.running(), log);
        try (PodCensus census = new PodCensus(cluster, "killed", 5)) {
            create("killed", size);
            census.awaitSome();
            operator.destroyForcibly().waitFor();
            operator = OperatorProcess.start(cluster.running(), log);

            ready("killed", size);
            census.assertCreated(cluster, size);
        } finally {
            operator.destroyForcibly();
            cluster.running().startOperator();
        }
    }

    @Test
    void its_pods_go_with_it_and_none_comes_back() throws InterruptedException {
        create("gone", 3);
        ready("gone", 3);
        try (PodCensus census = new PodCensus(cluster, "gone", 3)) {
            census.awaitSome();
            set("gone").delete();
            eventually(() -> assertThat(census.active()).isZero());
            // Another set gets its Pods after anything that was still to be done for this one.
            create("gone-after", 1);
            ready("gone-after", 1);
            assertThat(census.created()).isEqualTo(3);
        }
    }

    @Test
    void one_that_is_deleted_while_the_operator_is_down_stays_deleted() throws InterruptedException {
        create("unseen", 3);
        ready("unseen", 3);
        try (PodCensus census = new PodCensus(cluster, "unseen", 3)) {
            census.awaitSome();
            cluster.running().stopOperator();
            try {
                set("unseen").delete();
            } finally {
                cluster.running().startOperator();
            }
            eventually(() -> assertThat(census.active()).isZero());
            create("unseen-after", 1);
            ready("unseen-after", 1);
            assertThat(census.created()).isEqualTo(3);
        }
    }

    @Test
    void a_restart_of_the_operator_writes_nothing() {
        create("resting", 3);
        ready("resting", 3);
        List<String> before = versions("resting");
        cluster.running().stopOperator();
        cluster.running().startOperator();
        create("resting-after", 1);
        ready("resting-after", 1);

        assertThat(versions("resting")).isEqualTo(before);
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(Cluster.LOOK).untilAsserted(assertion);
    }

    private PodSet create(String name, int size) {
        return cluster.create(PodSet.class, yaml(name, size));
    }

    private String yaml(String name, int size) {
        return """
                apiVersion: apps.jicki.cn/v1alpha1
                kind: PodSet
                metadata:
                  name: %s
                  namespace: %s
                spec:
                  size: %d
                """.formatted(name, cluster.namespace(), size);
    }

    private void resize(String name, int size) {
        set(name).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"size\":" + size + "}}");
    }

    /** Waits until there are as many Pods, all ready, and the status says so; returns their names. */
    private List<String> ready(String name, int size) {
        eventually(() -> {
            PodSet set = set(name).require();
            PodSetStatus status = set.getStatus();
            assertThat(status).isNotNull();
            assertThat(status.observedGeneration()).isEqualTo(set.getMetadata().getGeneration());
            assertThat(status.replicas()).isEqualTo(size);
            assertThat(status.readyReplicas()).isEqualTo(size);
            assertThat(status.availableReplicas()).isEqualTo(size);
            assertThat(status.conditions())
                    .extracting(condition -> Map.entry(condition.getType(), condition.getStatus()))
                    .containsExactly(Map.entry("Available", "True"));
            assertThat(active(name))
                    .extracting(pod -> pod.getMetadata().getName())
                    .isEqualTo(status.nodes());
        });
        return nodes(name);
    }

    private List<String> nodes(String name) {
        return set(name).require().getStatus().nodes();
    }

    /** A set's own Pods that are not being deleted, by name. */
    private List<Pod> active(String name) {
        String uid = set(name).require().getMetadata().getUid();
        return cluster.pods(name).stream()
                .filter(pod -> !pod.isMarkedForDeletion())
                .filter(pod -> pod.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getUid().equals(uid)))
                .toList();
    }

    /** The resourceVersions of a set and its Pods. */
    private List<String> versions(String name) {
        return Stream.concat(Stream.of(set(name).require()), active(name).stream())
                .map(object -> object.getMetadata().getName() + "@"
                        + object.getMetadata().getResourceVersion())
                .toList();
    }

    private Resource<PodSet> set(String name) {
        return cluster.client()
                .resources(PodSet.class)
                .inNamespace(cluster.namespace())
                .withName(name);
    }

    private PodResource pod(String name) {
        return cluster.client().pods().inNamespace(cluster.namespace()).withName(name);
    }
}
