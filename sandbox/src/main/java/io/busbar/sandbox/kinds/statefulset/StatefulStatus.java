package io.busbar.sandbox.kinds.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Counts;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.revision.History;
import io.busbar.sandbox.storage.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/** What a StatefulSet tells of its Pods. Immutable. */
record StatefulStatus(ObjectNode set, History history, Instant now) {

    /** @param pods all of them, those included that are being deleted */
    void fill(ObjectNode status, List<ObjectNode> pods) {
        String update = Metadata.of(history.update()).name();
        String current = Metadata.of(
                        history.named(status.path("currentRevision").asText()))
                .name();
        Duration minReady =
                Duration.ofSeconds(set.path("spec").path("minReadySeconds").asLong());
        int ready = count(pods, StatefulStatus::isReady);
        int updated = count(
                pods, pod -> !Pods.isDeleting(pod) && Identity.revision(pod).equals(update));
        int before = count(
                pods, pod -> !Pods.isDeleting(pod) && Identity.revision(pod).equals(current));
        boolean rolling =
                set.path("spec").path("updateStrategy").path("type").asText().equals("RollingUpdate");
        boolean complete = rolling && updated == pods.size() && ready == pods.size();
        status.put("observedGeneration", (int) Metadata.of(set).generation());
        status.put("replicas", pods.size());
        Counts.put(status, "readyReplicas", ready);
        status.put("availableReplicas", count(pods, pod -> isReady(pod) && Pods.isAvailable(pod, minReady, now)));
        Counts.put(status, "updatedReplicas", updated);
        Counts.put(status, "currentReplicas", complete ? updated : before);
        status.put("currentRevision", complete ? update : current);
        status.put("updateRevision", update);
        status.put("collisionCount", history.collisions());
    }

    private static boolean isReady(ObjectNode pod) {
        return Pods.phase(pod).equals("Running") && Pods.isReady(pod);
    }

    private static int count(List<ObjectNode> pods, Predicate<ObjectNode> wanted) {
        return (int) pods.stream().filter(wanted).count();
    }
}
