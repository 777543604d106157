package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@EndToEnd("sidecarset")
class RollIT {

    private final Cluster cluster;

    RollIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void counts_pods_and_rolls_an_image_through_all_of_them() {
        cluster.createSet(SidecarSets.oneSidecar("roll-all", "example/proxy:1", ""));
        pods("roll-all", 5);
        counts("roll-all", 5, 5, 5, 5);
        List<String> before = startTimes("roll-all", "app");
        cluster.replaceSet(SidecarSets.oneSidecar("roll-all", "example/proxy:2", ""));
        counts("roll-all", 5, 5, 5, 5);
        assertThat(images("roll-all")).containsOnly("example/proxy:2");
        assertThat(startTimes("roll-all", "app")).as("start times of the app").isEqualTo(before);
    }

    @Test
    void keeps_back_as_many_pods_as_partition_says() {
        cluster.createSet(SidecarSets.oneSidecar("roll-part", "example/proxy:1", ""));
        pods("roll-part", 5);
        counts("roll-part", 5, 5, 5, 5);
        cluster.replaceSet(SidecarSets.oneSidecar("roll-part", "example/proxy:2", "updateStrategy:\n  partition: 3\n"));
        counts("roll-part", 5, 2, 5, 2);
        cluster.replaceSet(
                SidecarSets.oneSidecar("roll-part", "example/proxy:2", "updateStrategy:\n  maxUnavailable: 40%\n"));
        counts("roll-part", 5, 5, 5, 5);
    }

    @Test
    void stops_at_a_pod_that_does_not_become_ready_and_goes_on_with_an_image_that_does() {
        cluster.createSet(SidecarSets.oneSidecar("roll-bad", "example/proxy:1", ""));
        pods("roll-bad", 3);
        counts("roll-bad", 3, 3, 3, 3);
        cluster.replaceSet(
                SidecarSets.oneSidecar("roll-bad", "example/proxy:bad", "updateStrategy:\n  partition: 2\n"));
        counts("roll-bad", 3, 1, 3, 1);
        Pod broken = podsOf("roll-bad").stream()
                .filter(pod -> pod.getSpec().getContainers().get(0).getImage().endsWith(":bad"))
                .findFirst()
                .orElseThrow();
        cluster.annotate(broken, "fake-kubelet/ready.roll-bad-proxy", "false");
        counts("roll-bad", 3, 1, 2, 0);

        cluster.replaceSet(SidecarSets.oneSidecar("roll-bad", "example/proxy:bad", ""));
        counts("roll-bad", 3, 1, 2, 0);
        cluster.replaceSet(SidecarSets.oneSidecar("roll-bad", "example/proxy:bad", "revisionHistoryLimit: 5\n"));
        counts("roll-bad", 3, 1, 2, 0);

        cluster.replaceSet(SidecarSets.oneSidecar("roll-bad", "example/proxy:2", ""));
        // The one that is not ready costs nothing, another may be unavailable; the third waits for both.
        counts("roll-bad", 3, 2, 2, 1);
        cluster.annotate(broken, "fake-kubelet/ready.roll-bad-proxy", "true");
        counts("roll-bad", 3, 3, 3, 3);
        assertThat(images("roll-bad")).containsOnly("example/proxy:2");
    }

    @Test
    void stays_where_it_is_while_paused() {
        cluster.createSet(SidecarSets.oneSidecar("roll-pause", "example/proxy:1", ""));
        pods("roll-pause", 2);
        counts("roll-pause", 2, 2, 2, 2);
        cluster.replaceSet(
                SidecarSets.oneSidecar("roll-pause", "example/proxy:2", "updateStrategy:\n  paused: true\n"));
        counts("roll-pause", 2, 0, 2, 0);
        assertThat(images("roll-pause")).containsOnly("example/proxy:1");
        cluster.replaceSet(SidecarSets.oneSidecar("roll-pause", "example/proxy:2", ""));
        counts("roll-pause", 2, 2, 2, 2);
    }

    @Test
    void says_that_a_changed_variable_cannot_be_rolled_out_in_place() {
        cluster.createSet(SidecarSets.oneSidecar("roll-env", "example/proxy:1", ""));
        pods("roll-env", 2);
        counts("roll-env", 2, 2, 2, 2);
        cluster.replaceSet(SidecarSets.set(
                "roll-env",
                "containers:\n- name: roll-env-proxy\n  image: example/proxy:1\n  env:\n  - name: A\n    value: b\n"));
        counts("roll-env", 2, 0, 2, 0);
        cluster.eventually(() -> assertThat(podsOf("roll-env")).allSatisfy(pod -> {
            PodCondition condition = condition(pod, "SidecarSetUpgradable");
            assertThat(condition.getStatus()).isEqualTo("False");
            assertThat(condition.getReason()).isEqualTo("UpdateImmutableField");
        }));
        Pod fresh = cluster.createPod("roll-env-new", "roll-env");
        assertThat(fresh.getSpec().getContainers().get(0).getEnv())
                .anySatisfy(variable -> assertThat(variable.getName()).isEqualTo("A"));
    }

    @Test
    void leaves_pods_alone_when_the_strategy_is_not_to_update() {
        String strategy = "updateStrategy:\n  type: NotUpdate\n";
        cluster.createSet(SidecarSets.oneSidecar("roll-not", "example/proxy:1", strategy));
        pods("roll-not", 2);
        counts("roll-not", 2, 2, 2, 2);
        cluster.replaceSet(SidecarSets.oneSidecar("roll-not", "example/proxy:2", strategy));
        counts("roll-not", 2, 0, 2, 0);
        assertThat(images("roll-not")).containsOnly("example/proxy:1");
    }

    private void pods(String app, int count) {
        IntStream.range(0, count).forEach(i -> cluster.createPod(app + "-" + i, app));
    }

    private List<Pod> podsOf(String app) {
        return cluster.pods(app);
    }

    private List<String> images(String app) {
        return podsOf(app).stream()
                .flatMap(pod -> pod.getSpec().getContainers().stream())
                .filter(container -> container.getName().equals(app + "-proxy"))
                .map(Container::getImage)
                .toList();
    }

    private List<String> startTimes(String app, String container) {
        return podsOf(app).stream()
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .filter(status -> status.getName().equals(container))
                .map(status -> status.getState().getRunning().getStartedAt())
                .toList();
    }

    private static PodCondition condition(Pod pod, String type) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no condition " + type));
    }

    private void counts(String set, int matched, int updated, int ready, int updatedReady) {
        cluster.eventually(() -> {
            SidecarSetStatus status = cluster.set(set).getStatus();
            assertThat(status).as("status of %s", set).isNotNull();
            assertThat(status.observedGeneration())
                    .isEqualTo(cluster.set(set).getMetadata().getGeneration());
            assertThat(List.of(
                            status.matchedPods(), status.updatedPods(), status.readyPods(), status.updatedReadyPods()))
                    .as("matched, updated, ready, updatedReady of %s", set)
                    .containsExactly(matched, updated, ready, updatedReady);
        });
    }
}
