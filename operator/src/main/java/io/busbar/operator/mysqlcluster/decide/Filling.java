package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.objects.JobReport;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Has a Job fill the first member with what the cluster is to begin with, from the beginning until that is whole.
 *
 * <p>Immutable; any thread.
 *
 * @param job by its name
 * @param source what is loaded, for people
 * @param remedy what helps where it fails, for people
 * @param making the Job, for a member that was erased
 * @param position where the member stands then, by what the Job reports
 */
public record Filling(
        String job, String source, String remedy, Function<Member, Job> making, Function<JobReport, String> position) {

    /** Before what failed is tried again. */
    public static final Duration PAUSE = Duration.ofSeconds(30);

    /** The next step. */
    public void goOn(Observation seen, Draft draft, Member first) {
        Optional<Job> running = running(seen, job);
        if (running.isEmpty()) {
            begin(seen, draft, first);
        } else {
            follow(seen, draft, first, running.get());
        }
    }

    /** The Job, unless it is on its way out. */
    public static Optional<Job> running(Observation seen, String job) {
        return seen.job(job).filter(one -> !one.isMarkedForDeletion());
    }

    /** Whatever an earlier attempt has left goes first. */
    private void begin(Observation seen, Draft draft, Member first) {
        Optional<String> failure = seen.memory()
                .failure(Action.StandStill.class, first)
                .or(() -> seen.memory().failure(Action.Erase.class, first));
        if (failure.isPresent()) {
            draft.note(ClusterReasons.RESTORE_FAILED, failure.get());
        } else if (!seen.memory().hasTried(Action.Erase.class, first)) {
            draft.act(new Action.StandStill(first), new Action.Erase(first));
        } else {
            draft.act(new Action.StartJob(making.apply(first)));
        }
    }

    private void follow(Observation seen, Draft draft, Member first, Job running) {
        JobReport report = seen.report(running);
        switch (report.state()) {
            case RUNNING -> {}
            case FAILED -> {
                String message = source + ": " + report.text("message");
                draft.note(ClusterReasons.RESTORE_FAILED, message + "; it is tried again: " + remedy);
                if (Duration.between(report.since(), seen.steadily()).compareTo(PAUSE) > 0) {
                    draft.warn("RestoreFailed", "Restore", message);
                    draft.act(new Action.DeleteJob(running));
                }
            }
            case SUCCEEDED -> {
                Optional<String> failure = seen.memory().failure(Action.Seed.class, first);
                if (failure.isPresent()) {
                    draft.note(ClusterReasons.RESTORE_FAILED, failure.get());
                    return;
                }
                String gtid = position.apply(report);
                draft.act(new Action.Seed(first, gtid));
                draft.tell("Restored", "Restore", first.name() + " has the data of " + source + ", at " + gtid);
                draft.act(new Action.DeleteJob(running));
            }
        }
    }
}
