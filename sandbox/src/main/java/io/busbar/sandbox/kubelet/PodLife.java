package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What becomes of a Pod on a node: its next status, and when to look again.
 *
 * <p>From Pending to Running and Ready in one step, unless its annotations say otherwise; a container whose image
 * changed is restarted in place; a Pod that is being deleted ends. A pure function of its arguments: the status of a
 * status is the same. Any thread.
 */
final class PodLife {

    /**
     * @param status whole; equal to the Pod's own when there is nothing to write
     * @param again when time alone will change it
     */
    record Step(ObjectNode status, Optional<Duration> again) {}

    private static final int TERMINATED = 143;

    private final ObjectNode pod;
    private final JsonNode spec;
    private final JsonNode last;
    private final Steering steering;
    private final Instant now;
    private final ContainerStates containers;

    private PodLife(ObjectNode pod, Instant now) {
        this.pod = pod;
        this.spec = pod.path("spec");
        this.last = pod.path("status");
        this.steering = Steering.of(pod);
        this.now = now;
        this.containers = new ContainerStates(pod.path("metadata").path("uid").asText(), Metadata.time(now));
    }

    /**
     * @param pod on a node; not altered
     * @param hostIp of its node
     * @param newIp asked once, for a Pod that has no address yet
     */
    static Step next(ObjectNode pod, Instant now, String hostIp, Supplier<String> newIp) {
        return new PodLife(pod, now).next(hostIp, newIp);
    }

    private Step next(String hostIp, Supplier<String> newIp) {
        ObjectNode status = last instanceof ObjectNode known ? known.deepCopy() : pod.objectNode();
        String phase = last.path("phase").asText("Pending");
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return new Step(status, Optional.empty());
        }
        boolean deleting = pod.path("metadata").hasNonNull("deletionTimestamp");
        if (phase.equals("Pending") && !deleting) {
            Duration left = remaining(time(pod.path("metadata").path("creationTimestamp")), steering.delay());
            if (steering.holds() || !left.isZero()) {
                return new Step(status, steering.holds() ? Optional.empty() : Optional.of(left));
            }
        }
        locate(status, hostIp, newIp);
        Duration runs =
                remaining(time(status.path("startTime")), steering.runsFor().orElse(Duration.ZERO));
        boolean ends = ends();
        Optional<Integer> exitCode = Optional.empty();
        if (deleting) {
            exitCode = Optional.of(TERMINATED);
        } else if (ends && phase.equals("Running") && runs.isZero()) {
            exitCode = Optional.of(steering.exitCode().orElse(0));
        }
        fill(status, phase, exitCode);
        long generation = pod.path("metadata").path("generation").asLong();
        if (generation > 0) {
            status.put("observedGeneration", (int) generation);
        }
        boolean goesOn = ends && exitCode.isEmpty();
        return new Step(status, goesOn ? Optional.of(runs) : Optional.empty());
    }

    /** Only a Pod that is not restarted ends by itself. */
    private boolean ends() {
        return !spec.path("restartPolicy").asText("Always").equals("Always")
                && (steering.exitCode().isPresent() || steering.runsFor().isPresent());
    }

    private void locate(ObjectNode status, String hostIp, Supplier<String> newIp) {
        if (!status.has("startTime")) {
            status.put("startTime", Metadata.time(now));
        }
        String known = status.path("podIP").asText();
        String ip = spec.path("hostNetwork").asBoolean() ? hostIp : known.isEmpty() ? newIp.get() : known;
        status.put("hostIP", hostIp).put("podIP", ip);
        status.putArray("podIPs").addObject().put("ip", ip);
        status.remove("reason");
        status.remove("message");
    }

    private void fill(ObjectNode status, String phase, Optional<Integer> exitCode) {
        String waiting = exitCode.isPresent() ? "" : steering.waitingReason();
        put(status, "initContainerStatuses", spec.path("initContainers"), (container, was) -> {
            if (container.path("restartPolicy").asText().equals("Always")) {
                return exitCode.isEmpty()
                        ? containers.running(container, was, true)
                        : containers.ended(container, was, 0);
            }
            return containers.ended(container, was, 0).put("ready", true);
        });
        put(status, "containerStatuses", spec.path("containers"), (container, was) -> {
            if (exitCode.isPresent()) {
                return containers.ended(container, was, exitCode.get());
            }
            boolean ready = steering.isReady()
                    && steering.isReady(container.path("name").asText());
            return waiting.isEmpty()
                    ? containers.running(container, was, ready)
                    : containers.waiting(container, was, waiting);
        });
        put(
                status,
                "ephemeralContainerStatuses",
                spec.path("ephemeralContainers"),
                (container, was) -> exitCode.isPresent()
                        ? containers.ended(container, was, 0)
                        : containers.running(container, was, false));
        conditions(status, exitCode);
        String running = waiting.isEmpty() || !phase.equals("Pending") ? "Running" : "Pending";
        status.put(
                "phase",
                exitCode.map(code -> code == 0 ? "Succeeded" : "Failed").orElse(running));
    }

    private void conditions(ObjectNode status, Optional<Integer> exitCode) {
        boolean allReady = true;
        for (JsonNode container : status.path("containerStatuses")) {
            allReady &= container.path("ready").asBoolean();
        }
        PodConditions conditions = new PodConditions(status, Metadata.time(now));
        boolean gatesOpen = true;
        for (JsonNode gate : spec.path("readinessGates")) {
            gatesOpen &= conditions.holds(gate.path("conditionType").asText());
        }
        String notReady = exitCode.map(code -> code == 0 ? "PodCompleted" : "PodFailed")
                .orElse(allReady ? "" : "ContainersNotReady");
        conditions.set("PodScheduled", true, "");
        conditions.set("Initialized", true, "");
        conditions.set("ContainersReady", allReady, notReady);
        conditions.set(
                "Ready", allReady && gatesOpen, notReady.isEmpty() && !gatesOpen ? "ReadinessGatesNotReady" : notReady);
    }

    @FunctionalInterface
    private interface Fate {
        ObjectNode of(JsonNode container, JsonNode last);
    }

    private void put(ObjectNode status, String field, JsonNode list, Fate fate) {
        if (list.isEmpty()) {
            return;
        }
        ArrayNode statuses = pod.arrayNode();
        for (JsonNode container : list) {
            statuses.add(fate.of(
                    container, find(last.path(field), container.path("name").asText())));
        }
        status.set(field, statuses);
    }

    private static JsonNode find(JsonNode statuses, String name) {
        for (JsonNode status : statuses) {
            if (status.path("name").asText().equals(name)) {
                return status;
            }
        }
        return statuses.path("none");
    }

    private Duration remaining(Instant since, Duration span) {
        Duration left = Duration.between(now, since.plus(span));
        return left.isNegative() ? Duration.ZERO : left;
    }

    private Instant time(JsonNode text) {
        return text.isTextual() ? Instant.parse(text.textValue()) : now;
    }
}
