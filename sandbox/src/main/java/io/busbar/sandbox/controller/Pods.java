package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What controllers read from a Pod. Any thread. */
public final class Pods {

    private Pods() {}

    public static String phase(ObjectNode pod) {
        return pod.path("status").path("phase").asText("Pending");
    }

    public static boolean isDeleting(ObjectNode pod) {
        return pod.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** Whether it ended, for good or bad. */
    public static boolean isEnded(ObjectNode pod) {
        String phase = phase(pod);
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** Whether it counts as one that is there: neither ended nor being deleted. */
    public static boolean isActive(ObjectNode pod) {
        return !isEnded(pod) && !isDeleting(pod);
    }

    public static boolean isReady(ObjectNode pod) {
        return readyCondition(pod).path("status").asText().equals("True");
    }

    /** Ready for so long that it counts as available. */
    public static boolean isAvailable(ObjectNode pod, Duration minReady, Instant now) {
        return isReady(pod) && !readySince(pod).plus(minReady).isAfter(now);
    }

    /**
     * The time until the next of them becomes available, when time alone is missing; null when none does.
     *
     * @param now before they were counted: one whose time has come since may have been counted as not available
     */
    public static @Nullable Duration untilAvailable(Collection<ObjectNode> pods, Duration minReady, Instant now) {
        return pods.stream()
                .filter(pod -> isActive(pod) && isReady(pod))
                .map(pod -> Duration.between(now, readySince(pod).plus(minReady)))
                .filter(left -> left.compareTo(Duration.ZERO) > 0)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Since when it is ready, if it is; the epoch otherwise. */
    static Instant readySince(ObjectNode pod) {
        return Times.read(readyCondition(pod).path("lastTransitionTime")).orElse(Instant.EPOCH);
    }

    private static JsonNode readyCondition(ObjectNode pod) {
        return Conditions.find(pod.path("status"), "Ready");
    }

    public static String node(ObjectNode pod) {
        return pod.path("spec").path("nodeName").asText();
    }

    public static String label(ObjectNode object, String label) {
        return object.path("metadata").path("labels").path(label).asText();
    }

    public static List<ObjectNode> active(Collection<ObjectNode> pods) {
        return pods.stream().filter(Pods::isActive).toList();
    }

    /** The oldest first, then by name. */
    public static Comparator<ObjectNode> byAge() {
        return Comparator.<ObjectNode, String>comparing(object ->
                        object.path("metadata").path("creationTimestamp").asText())
                .thenComparing(object -> Metadata.of(object).name());
    }
}
