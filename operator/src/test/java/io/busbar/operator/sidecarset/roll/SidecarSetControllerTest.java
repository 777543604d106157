package io.busbar.operator.sidecarset.roll;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Change;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.Trigger;
import io.busbar.common.watch.WatchRequest;
import io.busbar.operator.sidecarset.StoredObjects;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SidecarSetControllerTest {

    private static final SidecarSet SET =
            Yaml.set("web", "selector: {matchLabels: {app: web}}\ncontainers: [{name: agent, image: 'agent:1'}]");

    static List<Consumer<Pod>> whatACountDependsOn() {
        return List.of(
                pod -> pod.getMetadata().setLabels(Map.of("app", "other")),
                pod -> pod.getMetadata().getAnnotations().put("kruise.io/sidecarset-hash", "{}"),
                pod -> pod.getMetadata().setDeletionTimestamp("2026-03-01T12:00:00Z"),
                pod -> pod.getStatus().setPhase("Failed"),
                pod -> pod.getStatus().getConditions().get(0).setStatus("False"),
                pod -> pod.getSpec().getContainers().get(0).setImage("agent:2"),
                pod -> pod.getStatus().getContainerStatuses().get(0).setImage("agent:2"),
                pod -> pod.getStatus().getContainerStatuses().get(0).setImageID("test://other"),
                pod -> pod.getStatus().getContainerStatuses().remove(1));
    }

    static List<Consumer<Pod>> whatNoCountDependsOn() {
        return List.of(
                pod -> pod.getMetadata().setResourceVersion("2"),
                pod -> pod.getStatus().setPodIP("10.0.0.1"),
                pod -> pod.getStatus()
                        .getConditions()
                        .add(new PodConditionBuilder()
                                .withType("SidecarSetUpgradable")
                                .withStatus("True")
                                .build()));
    }

    @ParameterizedTest
    @MethodSource("whatACountDependsOn")
    void asks_for_the_sets_of_a_pod_when_a_count_may_change(Consumer<Pod> change) {
        Pod before = mutable();
        Pod after = mutable();
        change.accept(after);

        assertThat(pods().when().test(Change.modified(before, after))).isTrue();
        assertThat(pods().mapping().keys(before, none())).containsExactly(ObjectKey.of("web"));
    }

    @ParameterizedTest
    @MethodSource("whatNoCountDependsOn")
    void asks_for_nothing_when_no_count_can_change(Consumer<Pod> change) {
        Pod after = mutable();
        change.accept(after);

        assertThat(pods().when().test(Change.modified(mutable(), after))).isFalse();
    }

    @Test
    void asks_for_the_sets_of_a_pod_that_comes_or_goes() {
        assertThat(pods().when().test(Change.added(mutable()))).isTrue();
        assertThat(pods().when().test(Change.deleted(mutable()))).isTrue();
    }

    @Test
    void asks_for_the_sets_that_select_namespaces_when_a_namespaces_labels_change() {
        SidecarSet selecting = Yaml.set(
                "zone",
                "selector: {matchLabels: {app: web}}\nnamespaceSelector: {matchLabels: {team: harbor}}\ncontainers: []");
        StoredObjects<SidecarSet> sets = StoredObjects.of(SET, selecting);
        Trigger<Namespace> trigger = trigger(Namespace.class);

        assertThat(trigger.mapping().keys(namespace("harbor"), listers(sets))).containsExactly(ObjectKey.of("zone"));
        assertThat(trigger.when().test(Change.modified(namespace("harbor"), namespace("orchard"))))
                .isTrue();
        assertThat(trigger.when().test(Change.modified(namespace("harbor"), namespace("harbor"))))
                .isFalse();
        assertThat(trigger.when().test(Change.added(namespace("harbor")))).isFalse();
    }

    @Test
    void asks_for_nothing_when_only_the_status_of_a_set_has_changed() {
        SidecarSet counted = Yaml.copy(SET);
        counted.setStatus(new SidecarSetStatus(1, 1, 1, 1, 1, null, null, List.of()));

        assertThat(trigger(SidecarSet.class).when().test(Change.modified(SET, counted)))
                .isFalse();
    }

    @Test
    void keeps_none_of_a_pods_other_annotations_and_asks_for_nothing_when_they_change() {
        assertThat(SidecarSetController.pods().fields())
                .filteredOn(path -> path.startsWith("metadata.annotations"))
                .containsExactly(
                        "metadata.annotations[kruise.io/*]", "metadata.annotations[version.sidecarset.kruise.io/*]");

        Pod before = mutable();
        Pod after = mutable();
        after.getMetadata().getAnnotations().put("kubectl.kubernetes.io/restartedAt", "now");
        assertThat(pods().when().test(Change.modified(before, after))).isFalse();
        after.getMetadata().getAnnotations().put("kruise.io/sidecarset-hash", "{}");
        assertThat(pods().when().test(Change.modified(before, after))).isTrue();
    }

    private static Pod mutable() {
        Pod pod = TestPods.running(TestPods.injected("p", SET));
        pod.getStatus().setContainerStatuses(new ArrayList<>(pod.getStatus().getContainerStatuses()));
        return pod;
    }

    private static Namespace namespace(String team) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName("shop")
                .withLabels(Map.of("team", team))
                .endMetadata()
                .build();
    }

    private static Trigger<Pod> pods() {
        return trigger(Pod.class);
    }

    @SuppressWarnings("unchecked") // the request is found by its type
    private static <T extends HasMetadata> Trigger<T> trigger(Class<T> type) {
        return SidecarSetController.declare("busbar-system", Clock.systemUTC()).watchRequests().stream()
                .filter(request -> request.spec().type() == type)
                .map(request -> ((WatchRequest<T>) request).triggers().get(0))
                .findFirst()
                .orElseThrow();
    }

    private static Listers none() {
        return listers(new StoredObjects<>());
    }

    private static Listers listers(StoredObjects<SidecarSet> sets) {
        return new Listers() {
            @Override
            @SuppressWarnings("unchecked") // only SidecarSets are asked for
            public <T extends HasMetadata> Lister<T> lister(Class<T> type) {
                return (Lister<T>) sets;
            }
        };
    }
}
