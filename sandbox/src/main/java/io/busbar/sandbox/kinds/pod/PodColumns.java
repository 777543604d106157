package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.function.Function;

/** Cells of Pods; the rules are those of Kubernetes' {@code printPod}. Any thread. */
final class PodColumns {

    static final Map<String, Function<JsonNode, String>> CELLS =
            Map.of("ready", PodColumns::ready, "status", PodColumns::status, "gates", PodColumns::gates);

    private PodColumns() {}

    private static String ready(JsonNode pod) {
        long ready = 0;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            if (container.path("ready").asBoolean() && container.path("state").has("running")) {
                ready++;
            }
        }
        return ready + "/" + pod.path("spec").path("containers").size();
    }

    private static String status(JsonNode pod) {
        JsonNode status = pod.path("status");
        String reason = status.path("reason").asText("");
        String text = reason.isEmpty() ? status.path("phase").asText("") : reason;
        String initializing = initializing(pod);
        text = initializing.isEmpty() ? containers(status, text) : initializing;
        if (!pod.path("metadata").hasNonNull("deletionTimestamp")) {
            return text;
        }
        return reason.equals("NodeLost") ? "Unknown" : "Terminating";
    }

    /** Empty once all init containers have done their part. */
    private static String initializing(JsonNode pod) {
        JsonNode states = pod.path("status").path("initContainerStatuses");
        for (int i = 0; i < states.size(); i++) {
            JsonNode state = states.path(i).path("state");
            JsonNode ended = state.path("terminated");
            String waiting = state.path("waiting").path("reason").asText("");
            if (ended.isObject() && ended.path("exitCode").asInt() == 0) {
                continue;
            }
            if (states.path(i).path("started").asBoolean() && sidecar(pod, i)) {
                continue;
            }
            if (ended.isObject()) {
                return "Init:" + ending(ended);
            }
            return waiting.isEmpty() || waiting.equals("PodInitializing")
                    ? "Init:" + i + "/"
                            + pod.path("spec").path("initContainers").size()
                    : "Init:" + waiting;
        }
        return "";
    }

    private static boolean sidecar(JsonNode pod, int index) {
        return pod.path("spec")
                .path("initContainers")
                .path(index)
                .path("restartPolicy")
                .asText()
                .equals("Always");
    }

    private static String containers(JsonNode status, String phase) {
        String text = phase;
        boolean running = false;
        JsonNode states = status.path("containerStatuses");
        for (int i = states.size() - 1; i >= 0; i--) {
            JsonNode state = states.path(i).path("state");
            String waiting = state.path("waiting").path("reason").asText("");
            if (!waiting.isEmpty()) {
                text = waiting;
            } else if (state.path("terminated").isObject()) {
                text = ending(state.path("terminated"));
            } else if (state.has("running") && states.path(i).path("ready").asBoolean()) {
                running = true;
            }
        }
        return text.equals("Completed") && running ? "Running" : text;
    }

    private static String ending(JsonNode terminated) {
        String reason = terminated.path("reason").asText("");
        if (!reason.isEmpty()) {
            return reason;
        }
        int signal = terminated.path("signal").asInt();
        return signal != 0
                ? "Signal:" + signal
                : "ExitCode:" + terminated.path("exitCode").asInt();
    }

    private static String gates(JsonNode pod) {
        JsonNode gates = pod.path("spec").path("readinessGates");
        if (gates.isEmpty()) {
            return "";
        }
        long met = 0;
        for (JsonNode gate : gates) {
            for (JsonNode condition : pod.path("status").path("conditions")) {
                if (condition.path("type").equals(gate.path("conditionType"))
                        && condition.path("status").asText().equals("True")) {
                    met++;
                }
            }
        }
        return met + "/" + gates.size();
    }
}
