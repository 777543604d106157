package io.busbar.sandbox.kinds.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which Pods come and go next: one after the other in order, or all at once; updates always one at a time, the last Pod
 * first.
 *
 * <p>Immutable; a pure function of what is there. From {@code stateful_set_control.go} of kube-controller-manager.
 */
final class Plan {

    private final JsonNode spec;
    private final NavigableMap<Integer, ObjectNode> pods = new TreeMap<>();
    private final String update;
    private final Instant now;
    private final int first;
    private final int end;
    private final boolean inOrder;

    /** @param update the name of the revision of the template as it is */
    Plan(ObjectNode set, Collection<ObjectNode> pods, String update, Instant now) {
        this.spec = set.path("spec");
        this.update = update;
        this.now = now;
        this.first = spec.path("ordinals").path("start").asInt();
        this.end = first + spec.path("replicas").asInt();
        this.inOrder = !spec.path("podManagementPolicy").asText().equals("Parallel");
        pods.forEach(pod -> {
            int ordinal = Identity.ordinal(set, pod);
            if (ordinal >= 0) {
                this.pods.put(ordinal, pod);
            }
        });
    }

    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        if (grow(steps) && shrink(steps)) {
            update(steps);
        }
        return steps;
    }

    /** Whether to go on. */
    private boolean grow(List<Step> steps) {
        for (int ordinal = first; ordinal < end; ordinal++) {
            ObjectNode pod = pods.get(ordinal);
            if (pod == null) {
                steps.add(new Step.Make(ordinal, ordinal >= first + partition()));
            } else if (Pods.isEnded(pod) && !Pods.isDeleting(pod)) {
                steps.add(new Step.Remove(pod));
            }
            if (inOrder && (pod == null || !isHealthy(pod))) {
                return false;
            }
        }
        return true;
    }

    private boolean shrink(List<Step> steps) {
        NavigableMap<Integer, ObjectNode> condemned = new TreeMap<>(pods.headMap(first, false));
        condemned.putAll(pods.tailMap(end, true));
        Optional<ObjectNode> firstUnhealthy =
                condemned.values().stream().filter(pod -> !isHealthy(pod)).findFirst();
        for (ObjectNode pod : condemned.descendingMap().values()) {
            boolean deleting = Pods.isDeleting(pod);
            boolean blocked = deleting
                    || (!isHealthy(pod) && firstUnhealthy.filter(pod::equals).isEmpty());
            if (inOrder && blocked) {
                return false;
            }
            if (!deleting) {
                steps.add(new Step.Remove(pod));
                if (inOrder) {
                    return false;
                }
            }
        }
        return true;
    }

    private void update(List<Step> steps) {
        if (spec.path("updateStrategy").path("type").asText().equals("OnDelete")) {
            return;
        }
        for (int ordinal = end - 1; ordinal >= first + partition(); ordinal--) {
            ObjectNode pod = pods.get(ordinal);
            if (pod != null && !Pods.isDeleting(pod) && !Identity.revision(pod).equals(update)) {
                steps.add(new Step.Remove(pod));
                return;
            }
            if (pod == null || !isHealthy(pod)) {
                return;
            }
        }
    }

    private int partition() {
        return spec.path("updateStrategy")
                .path("rollingUpdate")
                .path("partition")
                .asInt();
    }

    private boolean isHealthy(ObjectNode pod) {
        Duration minReady = Duration.ofSeconds(spec.path("minReadySeconds").asLong());
        return Pods.phase(pod).equals("Running") && !Pods.isDeleting(pod) && Pods.isAvailable(pod, minReady, now);
    }
}
