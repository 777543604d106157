package io.busbar.sandbox.kinds.daemonset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Counts;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.storage.Metadata;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a DaemonSet tells of its Pods. Immutable.
 *
 * @param revision the hash of the template as it is
 */
record DaemonStatus(ObjectNode set, DaemonPlan plan, String revision, int collisions) {

    void fill(ObjectNode status) {
        List<String> meant = plan.meant();
        int available = oldest(meant, plan::isAvailable);
        int stray = (int) plan.nodes().stream()
                .filter(node -> !plan.on(node).isEmpty() && !plan.isMeant(node))
                .count();
        status.put("observedGeneration", (int) Metadata.of(set).generation());
        status.put("desiredNumberScheduled", meant.size());
        status.put("currentNumberScheduled", oldest(meant, pod -> true));
        status.put("numberMisscheduled", stray);
        status.put("numberReady", oldest(meant, Pods::isReady));
        Counts.put(
                status,
                "updatedNumberScheduled",
                oldest(meant, pod -> Pods.label(pod, DaemonPods.REVISION).equals(revision)));
        Counts.put(status, "numberAvailable", available);
        Counts.put(status, "numberUnavailable", meant.size() - available);
        if (collisions > 0) {
            status.put("collisionCount", collisions);
        }
    }

    /** On how many nodes the oldest Pod is such. */
    private int oldest(List<String> nodes, Predicate<ObjectNode> wanted) {
        return (int) nodes.stream()
                .map(node -> plan.on(node).stream().findFirst())
                .flatMap(Optional::stream)
                .filter(wanted)
                .count();
    }
}
