package io.busbar.sandbox.kinds.job;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TallyTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");

    private static ObjectNode pod(String phase, String end) {
        return object("{metadata: {creationTimestamp: '2026-01-01T00:00:00Z'}, status: {phase: '" + phase
                + "', containerStatuses: [{restartCount: 2, state: {terminated: {finishedAt: '" + end + "'}}}]}}");
    }

    private static ObjectNode failed(String end) {
        return pod("Failed", end);
    }

    private static final ObjectNode RUNS = pod("Running", "");
    private static final ObjectNode DONE = pod("Succeeded", "2026-01-01T00:00:10Z");

    private static Tally tally(String spec, ObjectNode... pods) {
        return new Tally(
                object("{status: {startTime: '2026-01-01T00:00:00Z'}, spec: " + spec + "}"), List.of(pods), NOW);
    }

    private static String verdict(Tally tally) {
        return JobVerdict.of(tally).map(JobVerdict::reason).orElse("");
    }

    @Test
    void no_more_pods_run_than_are_still_needed() {
        assertThat(tally("{completions: 3, parallelism: 2}").wanted()).isEqualTo(2);
        assertThat(tally("{completions: 3, parallelism: 2}", DONE, DONE).wanted())
                .isEqualTo(1);
        assertThat(tally("{completions: 2, parallelism: 2}", DONE, DONE).wanted())
                .isZero();
    }

    @Test
    void without_completions_one_success_ends_the_creation_of_pods() {
        assertThat(tally("{parallelism: 2}", RUNS).wanted()).isEqualTo(2);
        assertThat(tally("{parallelism: 2}", RUNS, DONE).wanted()).isEqualTo(1);
        assertThat(tally("{parallelism: 2}", RUNS, DONE).isComplete()).isFalse();
        assertThat(tally("{parallelism: 2}", DONE).isComplete()).isTrue();
    }

    @Test
    void retries_wait_ever_longer() {
        String spec = "{completions: 1, backoffLimit: 6}";
        assertThat(tally(spec, failed("2026-01-01T00:00:55Z")).backoff()).isEqualTo(Duration.ofSeconds(5));
        assertThat(tally(spec, failed("2026-01-01T00:00:45Z"), failed("2026-01-01T00:00:55Z"))
                        .backoff())
                .isEqualTo(Duration.ofSeconds(15));
        assertThat(tally(spec, failed("2026-01-01T00:00:45Z")).backoff()).isZero();
        assertThat(tally(spec, failed("2026-01-01T00:00:05Z"), DONE).backoff()).isZero();
    }

    @Test
    void a_retry_whose_time_comes_while_others_are_counted_is_not_forgotten() {
        Tally due = tally("{completions: 1, backoffLimit: 6}", failed("2026-01-01T00:00:50Z"));
        Tally early = new Tally(due.job(), due.pods(), NOW.minusNanos(1));

        assertThat(early.backoff()).isEqualTo(Duration.ofNanos(1));
        assertThat(due.backoff()).isZero();
        assertThat(due.retryAfter(early)).contains(Duration.ZERO);
        assertThat(early.retryAfter(due)).contains(Duration.ofNanos(1));
        assertThat(due.retryAfter(due)).isEmpty();
    }

    @Test
    void too_many_failures_end_it() {
        ObjectNode failure = failed("2026-01-01T00:00:00Z");
        assertThat(verdict(tally("{completions: 1, backoffLimit: 1}", failure))).isEmpty();
        assertThat(verdict(tally("{completions: 1, backoffLimit: 1}", failure, failure)))
                .isEqualTo("BackoffLimitExceeded");
        String inPlace = "{completions: 1, backoffLimit: 2, template: {spec: {restartPolicy: 'OnFailure'}}}";
        assertThat(verdict(tally(inPlace, RUNS))).isEqualTo("BackoffLimitExceeded");
    }

    @Test
    void its_deadline_ends_it() {
        assertThat(verdict(tally("{completions: 1, backoffLimit: 1, activeDeadlineSeconds: 60}")))
                .isEqualTo("DeadlineExceeded");
        Tally early = tally("{completions: 1, backoffLimit: 1, activeDeadlineSeconds: 61}");
        assertThat(verdict(early)).isEmpty();
        assertThat(JobVerdict.untilDeadline(early)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void indexes_are_told_as_ranges() {
        assertThat(JobStatus.ranges(new TreeSet<>())).isEmpty();
        assertThat(JobStatus.ranges(new TreeSet<>(List.of(0, 1, 2, 4, 6, 7)))).isEqualTo("0-2,4,6,7");
    }
}
