package io.busbar.sandbox.kinds.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.IntOrPercent;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Times;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a PodDisruptionBudget allows. Immutable. */
record Budget(ObjectNode budget, List<ObjectNode> pods, Instant now) {

    /** An evicted Pod that is still there after this time was not deleted. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Whether the number of Pods that are meant to be there matters. */
    boolean needsScale() {
        JsonNode spec = budget.path("spec");
        return spec.has("maxUnavailable") || IntOrPercent.isPercent(spec.path("minAvailable"));
    }

    /** @param scale how many Pods are meant to be there; not looked at unless it matters */
    void fill(ObjectNode status, int scale) {
        JsonNode spec = budget.path("spec");
        int expected = needsScale() ? scale : spec.has("minAvailable") ? pods.size() : 0;
        int desired = spec.has("maxUnavailable")
                ? Math.max(0, expected - IntOrPercent.of(spec.path("maxUnavailable"), expected, true))
                : IntOrPercent.of(spec.path("minAvailable"), expected, true);
        forget(status);
        JsonNode disrupted = status.path("disruptedPods");
        int healthy = (int) pods.stream()
                .filter(pod -> Pods.isReady(pod)
                        && !Pods.isDeleting(pod)
                        && !disrupted.has(Metadata.of(pod).name()))
                .count();
        int allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
        status.put("observedGeneration", (int) Metadata.of(budget).generation());
        status.put("expectedPods", expected);
        status.put("desiredHealthy", desired);
        status.put("currentHealthy", healthy);
        status.put("disruptionsAllowed", allowed);
        condition(status, allowed > 0, allowed > 0 ? "SufficientPods" : "InsufficientPods", "");
    }

    /** Nothing is allowed when it is not known how many Pods there should be. */
    void fail(ObjectNode status, String why) {
        status.put("disruptionsAllowed", 0);
        condition(status, false, "SyncFailed", why);
    }

    private void condition(ObjectNode status, boolean holds, String reason, String message) {
        String type = "DisruptionAllowed";
        JsonNode before = Conditions.find(status, type);
        boolean same = before.path("reason").asText().equals(reason)
                && before.path("message").asText().equals(message)
                && before.path("observedGeneration").asLong()
                        == Metadata.of(budget).generation();
        if (!same) {
            Conditions.set(status, type, holds ? "True" : "False", reason, message, now)
                    .put("observedGeneration", (int) Metadata.of(budget).generation())
                    .put("message", message);
        }
    }

    /** Evictions that have become deletions, or have not in time, count no longer. */
    private void forget(ObjectNode status) {
        if (!(status.get("disruptedPods") instanceof ObjectNode disrupted)) {
            return;
        }
        Map<String, ObjectNode> byName =
                pods.stream().collect(Collectors.toMap(pod -> Metadata.of(pod).name(), pod -> pod));
        disrupted.properties().removeIf(entry -> {
            ObjectNode pod = byName.get(entry.getKey());
            return pod == null
                    || Pods.isDeleting(pod)
                    || Times.read(entry.getValue())
                            .map(at -> !at.plus(PATIENCE).isAfter(now))
                            .orElse(true);
        });
        if (disrupted.isEmpty()) {
            status.remove("disruptedPods");
        }
    }
}
