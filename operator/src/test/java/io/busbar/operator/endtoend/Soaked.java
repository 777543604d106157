package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a cluster must be like after a soak, worked out from its Pods alone and without a line of the operator's own.
 */
record Soaked(Cluster cluster) {

    private static final ObjectMapper JSON = new ObjectMapper();

    void countsAreRight() {
        List<Pod> pods = pods();
        for (SidecarSet set : sets()) {
            List<Pod> matched = pods.stream().filter(pod -> carries(pod, set)).toList();
            assertThat(set.getStatus()).as(name(set)).isNotNull();
            assertThat(List.of(
                            set.getStatus().observedGeneration(),
                            (long) set.getStatus().matchedPods(),
                            (long) set.getStatus().updatedPods(),
                            (long) set.getStatus().readyPods(),
                            (long) set.getStatus().updatedReadyPods()))
                    .as("generation, matched, updated, ready, updatedReady of %s", name(set))
                    .containsExactly(
                            set.getMetadata().getGeneration(),
                            (long) matched.size(),
                            matched.stream().filter(pod -> updated(pod, set)).count(),
                            matched.stream().filter(pod -> ready(pod, set)).count(),
                            matched.stream()
                                    .filter(pod -> updated(pod, set) && ready(pod, set))
                                    .count());
        }
    }

    void noPodIsInjectedTwice() {
        for (Pod pod : pods()) {
            List<String> names = pod.getSpec().getContainers().stream()
                    .map(Container::getName)
                    .toList();
            assertThat(names).as(pod.getMetadata().getName()).doesNotHaveDuplicates();
            assertThat(injected(pod)).doesNotHaveDuplicates();
            for (Container container : pod.getSpec().getContainers()) {
                assertThat(container.getEnv().stream()
                                .filter(variable -> variable.getName().equals("IS_INJECTED"))
                                .count())
                        .isEqualTo(container.getName().equals("app") ? 0 : 1);
            }
        }
    }

    void theGarbageCollectorHasDoneItsWork() {
        Set<String> sets =
                sets().stream().map(set -> set.getMetadata().getUid()).collect(Collectors.toSet());
        assertThat(revisions())
                .filteredOn(revision -> !sets.contains(owner(revision)))
                .extracting(revision -> revision.getMetadata().getName())
                .as("revisions of sets that are gone")
                .isEmpty();
    }

    void historiesAreWithinTheirLimits() {
        List<ControllerRevision> revisions = revisions();
        for (SidecarSet set : sets()) {
            Set<String> used = pods().stream()
                    .map(pod -> entry(pod, set).path("controllerRevision").asText())
                    .collect(Collectors.toSet());
            assertThat(revisions.stream()
                            .filter(revision ->
                                    owner(revision).equals(set.getMetadata().getUid()))
                            .map(revision -> revision.getMetadata().getName())
                            .filter(name -> !used.contains(name)))
                    .as("revisions of %s that no Pod uses", name(set))
                    .hasSizeLessThanOrEqualTo(set.getSpec().revisionHistoryLimit());
        }
    }

    private List<ControllerRevision> revisions() {
        return cluster.client()
                .apps()
                .controllerRevisions()
                .inNamespace("busbar-system")
                .list()
                .getItems();
    }

    private static boolean carries(Pod pod, SidecarSet set) {
        Set<String> names =
                pod.getSpec().getContainers().stream().map(Container::getName).collect(Collectors.toSet());
        return pod.getMetadata().getDeletionTimestamp() == null
                && set.getSpec().selector().getMatchLabels().entrySet().stream()
                        .allMatch(label -> label.getValue()
                                .equals(pod.getMetadata().getLabels().get(label.getKey())))
                && injected(pod).contains(name(set))
                && containers(set).allMatch(names::contains);
    }

    private static boolean updated(Pod pod, SidecarSet set) {
        return entry(pod, set)
                .path("hash")
                .asText()
                .equals(set.getMetadata().getAnnotations().get(SidecarSet.HASH));
    }

    /** Once all has come to rest, what runs is what the spec says; and one of two slots idles. */
    private static boolean ready(Pod pod, SidecarSet set) {
        Map<String, String> running = pod.getStatus().getContainerStatuses().stream()
                .collect(Collectors.toMap(ContainerStatus::getName, ContainerStatus::getImage));
        Map<String, String> wanted = pod.getSpec().getContainers().stream()
                .collect(Collectors.toMap(Container::getName, Container::getImage));
        return running.equals(wanted)
                && set.getSpec().containers().stream()
                        .filter(SidecarContainer::upgradesHot)
                        .allMatch(
                                sidecar -> wanted.get(sidecar.getName() + "-1").equals("example/empty:1")
                                        != wanted.get(sidecar.getName() + "-2").equals("example/empty:1"))
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    private static Stream<String> containers(SidecarSet set) {
        return set.getSpec().containers().stream()
                .flatMap(sidecar -> sidecar.upgradesHot()
                        ? Stream.of(sidecar.getName() + "-1", sidecar.getName() + "-2")
                        : Stream.of(sidecar.getName()));
    }

    private static List<String> injected(Pod pod) {
        String list = annotation(pod, "kruise.io/sidecarset-injected-list");
        return list.isEmpty() ? List.of() : Arrays.asList(list.split(","));
    }

    private static JsonNode entry(Pod pod, SidecarSet set) {
        try {
            return JSON.readTree(annotation(pod, "kruise.io/sidecarset-hash")).path(name(set));
        } catch (IOException unreadable) {
            throw new AssertionError(pod.getMetadata().getName(), unreadable);
        }
    }

    private static String annotation(Pod pod, String name) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(name, "");
    }

    private static String owner(ControllerRevision revision) {
        return revision.getMetadata().getOwnerReferences().get(0).getUid();
    }

    private static String name(SidecarSet set) {
        return set.getMetadata().getName();
    }

    private List<SidecarSet> sets() {
        return cluster.client().resources(SidecarSet.class).list().getItems();
    }

    private List<Pod> pods() {
        return cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withLabelIn("app", "soak-0", "soak-1", "soak-2")
                .list()
                .getItems();
    }
}
