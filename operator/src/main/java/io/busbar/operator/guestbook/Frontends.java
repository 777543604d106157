package io.busbar.operator.guestbook;

import io.busbar.common.MetadataKey;
import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.WatchSpec;
import io.busbar.operator.guestbook.v1.Guestbook;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The frontend Pods of a Guestbook that are ready.
 *
 * <p>Immutable.
 *
 * @param active the oldest
 * @param standby the other ones, by name
 */
record Frontends(Optional<String> active, List<String> standby) {

    /** Names the Guestbook on each of its Pods. */
    static final String INSTANCE = "app.kubernetes.io/instance";

    static final MetadataKey INSTANCE_KEY =
            MetadataKey.label(INSTANCE, "all objects of a Guestbook", "set by the operator: the name of the Guestbook");

    /** All frontends of all Guestbooks, with what is read of them. */
    static final WatchSpec<Pod> PODS = WatchSpec.of(Pod.class)
            .withLabels("app=guestbook,tier=frontend," + INSTANCE)
            .keeping(
                    "metadata.labels",
                    "metadata.ownerReferences",
                    "metadata.creationTimestamp",
                    "status.conditions.type",
                    "status.conditions.status");

    /** Files the Pods under the Guestbook that they name. */
    static final Index<Pod> BY_GUESTBOOK = new Index<>("guestbook.frontends", pod -> List.of(guestbook(pod)));

    private static final String TEMPLATE_HASH = "pod-template-hash";

    /** Creation times are of whole seconds and sort as text. */
    private static final Comparator<Pod> OLDEST_FIRST = Comparator.<Pod, String>comparing(
                    pod -> pod.getMetadata().getCreationTimestamp())
            .thenComparing(pod -> pod.getMetadata().getName());

    static Frontends of(Guestbook guestbook, Lister<Pod> pods) {
        return of(
                GuestbookObjects.frontendsName(guestbook),
                pods.by(BY_GUESTBOOK, ObjectKey.of(guestbook).toString()));
    }

    /**
     * @param deployment whose Pods count
     */
    static Frontends of(String deployment, List<Pod> pods) {
        List<String> ready = pods.stream()
                .filter(pod -> isOf(deployment, pod) && isReady(pod))
                .sorted(OLDEST_FIRST)
                .map(pod -> pod.getMetadata().getName())
                .toList();
        return new Frontends(
                ready.stream().findFirst(), ready.stream().skip(1).sorted().toList());
    }

    /** How many there are. */
    int ready() {
        return standby.size() + (active.isPresent() ? 1 : 0);
    }

    /** What of a Pod changes the outcome. */
    static boolean isReady(Pod pod) {
        return !pod.isMarkedForDeletion() && pod.getStatus() != null && Readiness.isPodReady(pod);
    }

    /**
     * A Pod that only carries the labels does not count: those of a Deployment belong to a ReplicaSet named after it
     * and their hash.
     */
    private static boolean isOf(String deployment, Pod pod) {
        String replicaSet = deployment + "-" + labels(pod).get(TEMPLATE_HASH);
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                        && owner.getKind().equals("ReplicaSet")
                        && owner.getName().equals(replicaSet));
    }

    private static String guestbook(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + labels(pod).get(INSTANCE);
    }

    private static Map<String, String> labels(HasMetadata object) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }
}
