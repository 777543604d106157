package io.busbar.sandbox.kinds.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.clock.Seconds;
import io.busbar.sandbox.controller.Times;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a Job is over. Immutable.
 *
 * @param type of the condition that says so
 */
record JobVerdict(String type, String reason, String message) {

    /** Empty as long as it goes on. */
    static Optional<JobVerdict> of(Tally tally) {
        JsonNode spec = tally.spec();
        int limit = spec.path("backoffLimit").asInt();
        boolean inPlace = spec.path("template")
                .path("spec")
                .path("restartPolicy")
                .asText()
                .equals("OnFailure");
        int restarts = inPlace ? tally.restarts() : 0;
        if (tally.failed() > limit || (restarts > 0 && restarts >= limit)) {
            return failed("BackoffLimitExceeded", "Job has reached the specified backoff limit");
        }
        Duration left = untilDeadline(tally);
        if (left != null && left.isZero()) {
            return failed("DeadlineExceeded", "Job was active longer than specified deadline");
        }
        return tally.isComplete()
                ? Optional.of(
                        new JobVerdict("Complete", "CompletionsReached", "Reached expected number of succeeded pods"))
                : Optional.empty();
    }

    /** Zero when it is over, null without a deadline. */
    static @Nullable Duration untilDeadline(Tally tally) {
        JsonNode deadline = tally.spec().path("activeDeadlineSeconds");
        return Times.read(tally.job().path("status").path("startTime"))
                .filter(start -> deadline.isNumber())
                .map(start -> Duration.between(tally.now(), start.plus(Seconds.of(deadline))))
                .map(left -> left.isNegative() ? Duration.ZERO : left)
                .orElse(null);
    }

    private static Optional<JobVerdict> failed(String reason, String message) {
        return Optional.of(new JobVerdict("Failed", reason, message));
    }
}
