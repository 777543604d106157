package io.busbar.sandbox.kinds.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Times;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * The Pods of a Job, counted, and what is still missing.
 *
 * <p>Immutable; pure functions.
 */
record Tally(ObjectNode job, Collection<ObjectNode> pods, Instant now) {

    static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private static final Duration FIRST_RETRY = Duration.ofSeconds(10);
    private static final Duration LAST_RETRY = Duration.ofMinutes(6);
    private static final int MOST_DOUBLINGS = 6;

    JsonNode spec() {
        return job.path("spec");
    }

    List<ObjectNode> active() {
        return Pods.active(pods);
    }

    int failed() {
        return ended("Failed");
    }

    /** Pods that have not ended, and are on their way out. */
    int terminating() {
        return (int) pods.stream()
                .filter(pod -> Metadata.of(pod).deleting()
                        && !List.of("Succeeded", "Failed").contains(Pods.phase(pod)))
                .count();
    }

    /** Of an indexed Job, how many indexes have. */
    int succeeded() {
        return isIndexed() ? done().size() : ended("Succeeded");
    }

    private int ended(String phase) {
        return (int) pods.stream().filter(pod -> Pods.phase(pod).equals(phase)).count();
    }

    boolean isIndexed() {
        return spec().path("completionMode").asText().equals("Indexed");
    }

    /** Whether the number of its indexes may be changed, and with it how many have succeeded. */
    boolean isElastic() {
        return isIndexed() && spec().path("completions").equals(spec().path("parallelism"));
    }

    /** Empty when any number will do. */
    OptionalInt completions() {
        return spec().has("completions")
                ? OptionalInt.of(spec().path("completions").asInt())
                : OptionalInt.empty();
    }

    /** How many are to run now. */
    int wanted() {
        int parallelism = spec().path("parallelism").asInt(1);
        if (completions().isEmpty()) {
            return succeeded() > 0 ? Math.min(active().size(), parallelism) : parallelism;
        }
        return Math.max(0, Math.min(parallelism, completions().getAsInt() - succeeded()));
    }

    boolean isComplete() {
        return completions().isPresent()
                ? succeeded() >= completions().getAsInt()
                : succeeded() > 0 && active().isEmpty();
    }

    /** Indexes that have succeeded. */
    NavigableSet<Integer> done() {
        return indexes(
                pods.stream().filter(pod -> Pods.phase(pod).equals("Succeeded")).toList());
    }

    /** The next indexes to run, in order. */
    List<Integer> missing(int count) {
        NavigableSet<Integer> taken = indexes(active());
        taken.addAll(done());
        List<Integer> missing = new ArrayList<>();
        for (int index = 0; index < completions().orElse(0) && missing.size() < count; index++) {
            if (!taken.contains(index)) {
                missing.add(index);
            }
        }
        return missing;
    }

    private NavigableSet<Integer> indexes(Collection<ObjectNode> of) {
        NavigableSet<Integer> indexes = new TreeSet<>();
        for (ObjectNode pod : of) {
            String index = pod.path("metadata").path("annotations").path(INDEX).asText();
            if (index.matches("[0-9]{1,9}")
                    && Integer.parseInt(index) < completions().orElse(0)) {
                indexes.add(Integer.parseInt(index));
            }
        }
        return indexes;
    }

    /** How long to wait before the next Pod, after those that failed since the last success; zero for not at all. */
    Duration backoff() {
        Instant success = lastEnd("Succeeded").orElse(Instant.EPOCH);
        long failures = pods.stream()
                .filter(pod -> Pods.phase(pod).equals("Failed") && end(pod).isAfter(success))
                .count();
        if (failures == 0) {
            return Duration.ZERO;
        }
        Duration wait = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        Duration capped = wait.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : wait;
        Duration left = Duration.between(now, lastEnd("Failed").orElse(now).plus(capped));
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * How long to wait with a Pod that could not be tried a moment before: not at all, where its time has come since.
     * Empty where none was to wait.
     */
    Optional<Duration> retryAfter(Tally before) {
        return Optional.of(backoff())
                .filter(wait -> !wait.isZero() || !before.backoff().isZero());
    }

    private Optional<Instant> lastEnd(String phase) {
        return pods.stream()
                .filter(pod -> Pods.phase(pod).equals(phase))
                .map(Tally::end)
                .max(Instant::compareTo);
    }

    private static Instant end(ObjectNode pod) {
        Instant end = Times.read(Conditions.find(pod.path("status"), "Ready").path("lastTransitionTime"))
                .or(() -> Times.read(pod.path("metadata").path("creationTimestamp")))
                .orElse(Instant.EPOCH);
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            Instant at = Times.read(container.path("state").path("terminated").path("finishedAt"))
                    .orElse(end);
            end = at.isAfter(end) ? at : end;
        }
        return end;
    }

    /** Restarts of containers in Pods that are not replaced. */
    int restarts() {
        int restarts = 0;
        for (ObjectNode pod : active()) {
            for (JsonNode container : pod.path("status").path("containerStatuses")) {
                restarts += container.path("restartCount").asInt();
            }
        }
        return restarts;
    }
}
