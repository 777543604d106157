package io.busbar.runtime.scorecard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * How far an object has come, by its status, whatever its kind.
 *
 * <p>Immutable.
 *
 * @param written whether its status is there, and for what is wanted now
 * @param readiness whether it is ready, as far as its status says
 * @param told what the status says of that, for people
 */
record Progress(boolean written, Readiness readiness, String told) {

    /** Conditions that say so, the plainest first. */
    private static final List<String> READY = List.of(
            "Ready",
            "Available",
            "Complete",
            "Completed",
            "Succeeded",
            "Healthy",
            "Deployed",
            "Established",
            "Running",
            "Reconciled",
            "ReconcileSuccess");

    private static final Set<String> READY_PHASES =
            Set.of("ready", "available", "complete", "completed", "succeeded", "running", "active", "healthy", "bound");

    /** Of an object. */
    enum Readiness {
        READY,
        NOT_YET,
        /** Nothing in its status tells. */
        UNTOLD
    }

    static Progress of(JsonNode object) {
        JsonNode status = object.path("status");
        if (!status.isObject() || status.isEmpty()) {
            return new Progress(false, Readiness.NOT_YET, "there is no status");
        }
        long generation = object.at("/metadata/generation").asLong(0);
        if (status.has("observedGeneration")
                && status.path("observedGeneration").asLong() < generation) {
            return new Progress(
                    false,
                    Readiness.NOT_YET,
                    "the status is for generation " + status.path("observedGeneration") + ", " + generation
                            + " is wanted");
        }
        return byConditions(status);
    }

    private static Progress byConditions(JsonNode status) {
        JsonNode conditions = status.path("conditions");
        for (String type : READY) {
            for (JsonNode condition : conditions) {
                if (condition.path("type").asText().equals(type)) {
                    return told(condition.path("status").asText().equals("True"), words(condition));
                }
            }
        }
        JsonNode phase = status.has("phase") ? status.path("phase") : status.path("state");
        if (phase.isTextual()) {
            return told(READY_PHASES.contains(phase.asText().toLowerCase(Locale.ROOT)), "it is " + phase.asText());
        }
        return byTrouble(conditions);
    }

    /** Without a condition that says that all is well, none may say that something is not. */
    private static Progress byTrouble(JsonNode conditions) {
        List<String> all = new ArrayList<>();
        boolean says = false;
        boolean trouble = false;
        for (JsonNode condition : conditions) {
            all.add(words(condition));
            if (condition.path("type").asText().matches("Degraded|Progressing|Reconciling|Stalled|Failed|Failure")) {
                says = true;
                trouble |= condition.path("status").asText().equals("True");
            }
        }
        if (says) {
            return told(!trouble, String.join("; ", all));
        }
        return new Progress(
                true,
                Readiness.UNTOLD,
                all.isEmpty()
                        ? "its status has neither conditions nor a phase"
                        : "no condition says that it is ready: " + String.join("; ", all));
    }

    private static Progress told(boolean ready, String words) {
        return new Progress(true, ready ? Readiness.READY : Readiness.NOT_YET, words);
    }

    private static String words(JsonNode condition) {
        String reason = condition.path("reason").asText();
        String message = condition.path("message").asText();
        String why = reason.isEmpty() || message.isEmpty() ? reason + message : reason + ": " + message;
        return condition.path("type").asText() + " is "
                + condition.path("status").asText() + (why.isEmpty() ? "" : " (" + why + ")");
    }
}
