package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The annotations by which a test steers how a Pod fares, at any time.
 *
 * <p>The same names as those of the stand-in kubelet that serves a real control plane, so that one test runs on both:
 *
 * <ul>
 *   <li>{@code fake-kubelet/exit-code}: with restartPolicy Never or OnFailure the Pod ends, Succeeded for 0, else
 *       Failed
 *   <li>{@code fake-kubelet/run-for}: ... after so many seconds; alone with exit code 0
 *   <li>{@code fake-kubelet/delay}: stays Pending so many seconds
 *   <li>{@code fake-kubelet/hold}: {@code true} keeps it Pending until it is removed
 *   <li>{@code fake-kubelet/ready}: {@code false} lets it run, not ready; {@code fake-kubelet/ready.NAME} one container
 *   <li>{@code fake-kubelet/waiting}: its containers wait for this reason; they crashed if they ran
 *   <li>{@code fake-kubelet/termination-delay}: once deleted it lingers so many seconds, at most its grace period
 * </ul>
 *
 * <p>A number that is none counts as absent. Immutable.
 */
record Steering(JsonNode annotations) {

    private static final String PREFIX = "fake-kubelet/";

    static Steering of(JsonNode pod) {
        return new Steering(pod.path("metadata").path("annotations"));
    }

    boolean holds() {
        return text("hold").equals("true");
    }

    Duration delay() {
        return seconds("delay").orElse(Duration.ZERO);
    }

    Duration terminationDelay() {
        return seconds("termination-delay").orElse(Duration.ZERO);
    }

    Optional<Duration> runsFor() {
        return seconds("run-for");
    }

    OptionalInt exitCode() {
        return seconds("exit-code").map(Duration::toSeconds).map(Long::intValue).stream()
                .mapToInt(Integer::intValue)
                .findFirst();
    }

    boolean isReady() {
        return !text("ready").equals("false");
    }

    boolean isReady(String container) {
        return !text("ready." + container).equals("false");
    }

    /** Empty when the containers run. */
    String waitingReason() {
        return text("waiting");
    }

    private String text(String name) {
        return annotations.path(PREFIX + name).asText();
    }

    private Optional<Duration> seconds(String name) {
        try {
            return Optional.of(Duration.ofMillis((long) (Double.parseDouble(text(name)) * 1000)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
