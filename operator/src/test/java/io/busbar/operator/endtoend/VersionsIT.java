package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.sidecarset.history.RevisionHistory;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which version of a set a Pod gets, and how it comes to another. */
@EndToEnd("sidecarset")
class VersionsIT {

    private final Cluster cluster;

    VersionsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void upgrades_hot_from_one_slot_to_the_other_and_back() {
        cluster.createSet(hot("example/mesh:1"));
        cluster.createPod("hot-1", "hot");
        cluster.createPod("hot-2", "hot");
        updatedAndReady("hot", 2);
        assertThat(images("hot")).containsOnly("[example/mesh:1, example/empty:1, example/app:1]");

        cluster.replaceSet(hot("example/mesh:2"));
        updatedAndReady("hot", 2);
        assertThat(images("hot")).containsOnly("[example/empty:1, example/mesh:2, example/app:1]");

        cluster.replaceSet(hot("example/mesh:3"));
        updatedAndReady("hot", 2);
        assertThat(images("hot")).containsOnly("[example/mesh:3, example/empty:1, example/app:1]");
        cluster.eventually(
                () -> assertThat(conditions("hot")).containsExactly("Progressing UpToDate", "Degraded AsExpected"));
    }

    @Test
    void gives_new_pods_the_version_that_injection_is_pinned_to() {
        cluster.createSet(SidecarSets.oneSidecar("pinned", "example/proxy:1", ""));
        String old = status("pinned").latestRevision();
        cluster.replaceSet(SidecarSets.oneSidecar("pinned", "example/proxy:2", ""));
        cluster.replaceSet(SidecarSets.oneSidecar(
                "pinned",
                "example/proxy:2",
                "updateStrategy:\n  type: NotUpdate\ninjectionStrategy:\n  revision:\n    revisionName: " + old
                        + "\n"));

        Pod pod = cluster.createPod("pinned", "pinned");

        assertThat(pod.getSpec().getContainers().get(0).getImage()).isEqualTo("example/proxy:1");
        cluster.eventually(() -> assertThat(status("pinned").matchedPods()).isEqualTo(1));
        assertThat(status("pinned").updatedPods()).isZero();
    }

    @Test
    void takes_up_an_old_version_again_and_forgets_those_beyond_the_limit() {
        cluster.createSet(kept("example/proxy:1"));
        String first = status("kept").latestRevision();
        cluster.replaceSet(kept("example/proxy:2"));
        cluster.replaceSet(kept("example/proxy:1"));

        assertThat(status("kept").latestRevision()).isEqualTo(first);
        cluster.eventually(() -> assertThat(revisions("kept"))
                .extracting(ControllerRevision::getRevision)
                .containsExactlyInAnyOrder(2L, 3L));

        cluster.replaceSet(kept("example/proxy:3"));
        cluster.replaceSet(kept("example/proxy:4"));
        cluster.eventually(() -> assertThat(revisions("kept"))
                .extracting(ControllerRevision::getRevision)
                .containsExactlyInAnyOrder(4L, 5L));
    }

    @Test
    void names_a_version_otherwise_where_somebody_has_taken_its_name() {
        String set = SidecarSets.oneSidecar("named", "example/proxy:1", "");
        cluster.createSet(set);
        String name = status("named").latestRevision();
        cluster.client().resources(SidecarSet.class).withName("named").delete();
        cluster.eventually(() -> assertThat(revisions("named")).isEmpty());
        cluster.create(
                ControllerRevision.class, """
                apiVersion: apps/v1
                kind: ControllerRevision
                metadata: {name: %s, namespace: %s}
                revision: 1
                data: {somebody: else}
                """.formatted(name, cluster.running().namespace()));

        cluster.createSet(set);
        assertThat(status("named").latestRevision()).isNotEqualTo(name);
        assertThat(status("named").collisionCount()).isEqualTo(1);
    }

    @Test
    void names_set_and_reason_when_it_refuses_a_pod() {
        cluster.createSet(SidecarSets.set("meter", """
                containers:
                - name: meter
                  image: example/meter:1
                  resourcesPolicy:
                    targetContainersMode: sum
                    targetContainersNameRegex: ^none$
                    resourcesExpr:
                      limits:
                        cpu: cpu*50%
                """));

        assertThatThrownBy(() -> cluster.createPod("meter", "meter"))
                .hasMessageContaining("SidecarSet meter cannot be injected: resources of container meter:"
                        + " no containers match the regex pattern \"^none$\"");
    }

    @Test
    void takes_over_a_pod_that_another_operator_injected() {
        SidecarSet template = cluster.createSet(SidecarSets.oneSidecar("theirs", "example/proxy:1", ""));
        Pod injected = cluster.createPod("theirs-0", "theirs");
        cluster.removeAll();
        cluster.eventually(() -> assertThat(cluster.pods("theirs")).isEmpty());
        Pod theirs = new PodBuilder(injected)
                .withNewMetadata()
                .withName("theirs-1")
                .withNamespace(cluster.namespace())
                .withLabels(injected.getMetadata().getLabels())
                .addToAnnotations("kruise.io/sidecarset-injected-list", "theirs")
                .addToAnnotations("kruise.io/sidecarset-hash", legacy(template, SidecarSet.HASH))
                .addToAnnotations(
                        "kruise.io/sidecarset-hash-without-image", legacy(template, SidecarSet.HASH_WITHOUT_IMAGE))
                .endMetadata()
                .editSpec()
                .withNodeName(null)
                .endSpec()
                .withStatus(null)
                .build();
        cluster.create(Pod.class, Serialization.asYaml(theirs));

        cluster.createSet(SidecarSets.oneSidecar("theirs", "example/proxy:1", ""));
        updatedAndReady("theirs", 1);
        assertThat(restarts("theirs")).containsOnly(0);

        cluster.replaceSet(SidecarSets.oneSidecar("theirs", "example/proxy:2", ""));
        updatedAndReady("theirs", 1);
        assertThat(restarts("theirs")).containsExactly(1, 0);
    }

    private static String legacy(SidecarSet set, String annotation) {
        return "{\"theirs\":\"" + set.getMetadata().getAnnotations().get(annotation) + "\"}";
    }

    private static String hot(String image) {
        return SidecarSets.set("hot", """
                containers:
                - name: mesh
                  image: %s
                  upgradeStrategy:
                    upgradeType: HotUpgrade
                    hotUpgradeEmptyImage: example/empty:1
                updateStrategy:
                  maxUnavailable: 100%%
                """.formatted(image));
    }

    private static String kept(String image) {
        return SidecarSets.oneSidecar("kept", image, "revisionHistoryLimit: 2\n");
    }

    private List<ControllerRevision> revisions(String set) {
        return cluster.client()
                .resources(ControllerRevision.class)
                .inNamespace(cluster.running().namespace())
                .withLabel(RevisionHistory.SET_NAME, set)
                .list()
                .getItems();
    }

    private void updatedAndReady(String set, int pods) {
        cluster.eventually(() -> assertThat(status(set))
                .extracting(
                        SidecarSetStatus::observedGeneration,
                        SidecarSetStatus::matchedPods,
                        SidecarSetStatus::updatedReadyPods)
                .containsExactly(cluster.set(set).getMetadata().getGeneration(), pods, pods));
    }

    private SidecarSetStatus status(String set) {
        SidecarSetStatus status = cluster.set(set).getStatus();
        assertThat(status).as("status of %s", set).isNotNull();
        return status;
    }

    private List<String> conditions(String set) {
        return status(set).conditions().stream()
                .map((Condition condition) -> condition.getType() + " " + condition.getReason())
                .toList();
    }

    private List<String> images(String app) {
        return cluster.pods(app).stream()
                .map(pod -> pod.getSpec().getContainers().stream()
                        .map(Container::getImage)
                        .toList()
                        .toString())
                .toList();
    }

    private List<Integer> restarts(String app) {
        return cluster.pods(app).stream()
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .sorted((a, b) -> b.getName().compareTo(a.getName()))
                .map(status -> status.getRestartCount())
                .toList();
    }
}
