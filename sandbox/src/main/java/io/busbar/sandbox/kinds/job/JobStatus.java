package io.busbar.sandbox.kinds.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Counts;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.StringJoiner;

/** What a Job tells of its Pods. Immutable. */
record JobStatus(Tally tally) {

    private static final String SUSPENDED = "Suspended";

    static boolean isOver(ObjectNode job) {
        return Conditions.isTrue(job.path("status"), "Complete") || Conditions.isTrue(job.path("status"), "Failed");
    }

    static boolean isSuspended(ObjectNode job) {
        return job.path("spec").path("suspend").asBoolean();
    }

    /** Whether the status says so, which follows. */
    static boolean wasSuspended(ObjectNode job) {
        return Conditions.isTrue(job.path("status"), SUSPENDED);
    }

    /** At its end it has no Pods that run: those that do are deleted just then. */
    void fill(ObjectNode status, Optional<JobVerdict> verdict) {
        suspension(status);
        boolean failed = verdict.filter(end -> end.type().equals("Failed")).isPresent();
        boolean ends = verdict.isPresent();
        int active = tally.active().size();
        Counts.put(status, "active", ends ? 0 : active);
        Counts.put(
                status,
                "succeeded",
                tally.isElastic() ? tally.succeeded() : noLess(status, "succeeded", tally.succeeded()));
        Counts.put(status, "failed", noLess(status, "failed", tally.failed() + (failed ? active : 0)));
        status.put(
                "ready",
                ends ? 0 : (int) tally.active().stream().filter(Pods::isReady).count());
        status.put("terminating", ends ? 0 : tally.terminating());
        status.putObject("uncountedTerminatedPods");
        if (tally.isIndexed()) {
            status.put("completedIndexes", ranges(tally.done()));
        }
        verdict.ifPresent(end -> {
            String now = Metadata.time(tally.now());
            // Said before the last Pod is gone, and kept beside the end.
            Conditions.set(
                            status,
                            failed ? "FailureTarget" : "SuccessCriteriaMet",
                            "True",
                            end.reason(),
                            end.message(),
                            tally.now())
                    .put("lastProbeTime", now);
            Conditions.set(status, end.type(), "True", end.reason(), end.message(), tally.now())
                    .put("lastProbeTime", now);
            if (!failed) {
                status.put("completionTime", now);
            }
        });
    }

    /** What was counted stays so, also when somebody has deleted the Pod. */
    private static int noLess(ObjectNode status, String count, int now) {
        return Math.max(status.path(count).asInt(), now);
    }

    private void suspension(ObjectNode status) {
        String now = Metadata.time(tally.now());
        boolean suspended = isSuspended(tally.job());
        if (suspended != Conditions.isTrue(status, SUSPENDED)) {
            String done = suspended ? "suspended" : "resumed";
            String reason = suspended ? "JobSuspended" : "JobResumed";
            Conditions.set(status, SUSPENDED, suspended ? "True" : "False", reason, "Job " + done, tally.now())
                    .put("lastProbeTime", now);
        }
        if (suspended) {
            status.remove("startTime");
        } else if (!status.has("startTime")) {
            status.put("startTime", now);
        }
    }

    /** Such as {@code 0-2,5}. */
    static String ranges(NavigableSet<Integer> indexes) {
        StringJoiner ranges = new StringJoiner(",");
        Integer first = indexes.isEmpty() ? null : indexes.first();
        while (first != null) {
            int last = first;
            while (indexes.contains(last + 1)) {
                last++;
            }
            ranges.add(first == last ? Integer.toString(first) : first + (last == first + 1 ? "," : "-") + last);
            first = indexes.higher(last);
        }
        return ranges.toString();
    }
}
