package io.busbar.operator.podbugger;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.WatchSpec;
import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.reconciler.Controller;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Declares the controller of PodBuggerTools. Any thread. */
final class PodbuggertoolController {

    /** Files tools under the label that they look for. */
    private static final Index<Podbuggertool> TOOLS_BY_LABEL = new Index<>(
            "podbuggertool.label",
            tool -> tool.getSpec() == null ? List.of() : List.of(tool.getSpec().label()));

    /** Files Pods under each of their labels, with and without their namespace. */
    private static final Index<Pod> PODS_BY_LABEL = new Index<>(
            "podbuggertool.pods",
            pod -> labels(pod)
                    .flatMap(label -> Stream.of(label, within(namespace(pod), label)))
                    .toList());

    private PodbuggertoolController() {}

    static Controller<Podbuggertool> declare(Clock clock) {
        return Controller.of(Podbuggertool.class, new PodbuggertoolReconciler(new EphemeralContainers(), clock))
                .sharded()
                .index(TOOLS_BY_LABEL)
                .when(ChangePredicate.generationChanged())
                .watches(pods(), List.of(PODS_BY_LABEL), ChangePredicate.changed(Facts::of), toTools());
    }

    /** Of each Pod, what {@link MatchingPods} reads. */
    private static WatchSpec<Pod> pods() {
        return WatchSpec.of(Pod.class)
                .keeping(
                        "metadata.labels",
                        "spec.ephemeralContainers.name",
                        "status.phase",
                        "status.conditions.type",
                        "status.conditions.status");
    }

    /** By the index, not by a scan of all Pods. */
    static String lookup(Podbuggertool tool, PodLabel label) {
        return tool.getSpec().allNamespaces() ? label.toString() : within(namespace(tool), label.toString());
    }

    static Index<Pod> podsByLabel() {
        return PODS_BY_LABEL;
    }

    private static KeyMapping<Pod> toTools() {
        return (pod, listers) -> {
            List<ObjectKey> keys = new ArrayList<>();
            labels(pod)
                    .forEach(label -> listers.lister(Podbuggertool.class).by(TOOLS_BY_LABEL, label).stream()
                            .filter(tool -> tool.getSpec().allNamespaces()
                                    || namespace(tool).equals(namespace(pod)))
                            .map(ObjectKey::of)
                            .forEach(keys::add));
            return keys;
        };
    }

    private static Stream<String> labels(Pod pod) {
        Map<String, String> labels =
                Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
        return labels.entrySet().stream().map(label -> label.getKey() + "=" + label.getValue());
    }

    private static String within(String namespace, String label) {
        return namespace + "/" + label;
    }

    private static String namespace(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
    }

    /** What of a Pod matters to tools. */
    private record Facts(List<String> labels, boolean leaving, boolean ready, String phase, List<String> containers) {

        static Facts of(Pod pod) {
            return new Facts(
                    PodbuggertoolController.labels(pod).sorted().toList(),
                    pod.isMarkedForDeletion(),
                    MatchingPods.isReady(pod),
                    pod.getStatus() == null
                            ? ""
                            : String.valueOf(pod.getStatus().getPhase()),
                    MatchingPods.containers(pod));
        }
    }
}
