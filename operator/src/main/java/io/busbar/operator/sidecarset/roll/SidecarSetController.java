package io.busbar.operator.sidecarset.roll;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.WatchSpec;
import io.busbar.operator.sidecarset.history.RevisionHistory;
import io.busbar.operator.sidecarset.matching.Selectors;
import io.busbar.operator.sidecarset.matching.SidecarSetMatching;
import io.busbar.operator.sidecarset.pod.InjectedList;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.reconciler.Controller;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/** Declares the controller of SidecarSets. Any thread. */
public final class SidecarSetController {

    private static final String YES = "true";

    /** Files Pods under the sets that were injected into them. */
    public static final Index<Pod> PODS_BY_SET =
            Index.ofMetadata("sidecarset.pods", pod -> InjectedList.of(pod).names());

    /** Files the sets that look at labels of namespaces, other than their names, under {@value #YES}. */
    static final Index<SidecarSet> BY_NAMESPACE_LABELS =
            new Index<>("sidecarset.namespaceSelector", set -> selectsNamespaces(set) ? List.of(YES) : List.of());

    private SidecarSetController() {}

    /**
     * @param operatorNamespace where the history is kept
     */
    public static Controller<SidecarSet> declare(String operatorNamespace, Clock clock) {
        RevisionHistory history = new RevisionHistory(operatorNamespace);
        return Controller.of(SidecarSet.class, new SidecarSetReconciler(history, clock))
                .sharded()
                .index(BY_NAMESPACE_LABELS)
                .when(ChangePredicate.generationChanged().or(ChangePredicate.annotationsChanged()))
                .watches(pods(), List.of(PODS_BY_SET), ChangePredicate.changed(PodFacts::of), toInjectedSets())
                .watches(
                        WatchSpec.of(Namespace.class).keeping("metadata.labels"),
                        List.of(),
                        change -> change.isModification()
                                && ChangePredicate.labelsChanged().test(change),
                        toSetsThatSelectNamespaces())
                .reads(history.watch(), List.of(RevisionHistory.BY_SET));
    }

    /** Of each Pod, what {@link InjectedPod} and {@link UpgradeOrder} read, and the indexes that a patch needs. */
    static WatchSpec<Pod> pods() {
        Stream<String> annotations =
                PodFacts.ANNOTATION_PREFIXES.stream().map(prefix -> "metadata.annotations[" + prefix + "*]");
        Stream<String> others = Stream.of(
                "metadata.labels",
                "metadata.creationTimestamp",
                "spec.nodeName",
                "spec.containers.name",
                "spec.containers.image",
                "status.phase",
                "status.conditions.type",
                "status.conditions.status",
                "status.conditions.message",
                "status.conditions.lastTransitionTime",
                "status.containerStatuses.name",
                "status.containerStatuses.image",
                "status.containerStatuses.imageID",
                "status.containerStatuses.ready",
                "status.containerStatuses.restartCount");
        return WatchSpec.of(Pod.class)
                .keeping(Stream.concat(annotations, others).toArray(String[]::new));
    }

    private static KeyMapping<Pod> toInjectedSets() {
        return (pod, listers) ->
                InjectedList.of(pod).names().stream().map(ObjectKey::of).toList();
    }

    private static KeyMapping<Namespace> toSetsThatSelectNamespaces() {
        return (namespace, listers) -> listers.lister(SidecarSet.class).by(BY_NAMESPACE_LABELS, YES).stream()
                .map(ObjectKey::of)
                .toList();
    }

    private static boolean selectsNamespaces(SidecarSet set) {
        return set.getSpec() != null
                && Selectors.asksForMore(set.getSpec().namespaceSelector(), SidecarSetMatching.NAMESPACE_NAME);
    }
}
