package io.busbar.sandbox.kinds.cronjob;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.clock.Seconds;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.EventRecorder;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Templates;
import io.busbar.sandbox.controller.Times;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.syntax.CronSchedule;
import io.vertx.core.Future;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the Job of each CronJob that is due, one for all times that were missed.
 *
 * <p>One context.
 */
public final class CronJobs {

    private final ControllerContext context;
    private final Writes writes;
    private final EventRecorder events;

    private CronJobs(ControllerContext context) {
        this.context = context;
        this.writes = Writes.of(context);
        this.events = new EventRecorder(context, context.name());
    }

    public static ControllerLoop start(ControllerContext context) {
        return new ControllerLoop(context, Kind.CRON_JOB, new CronJobs(context)::sync).owns(Kind.JOB);
    }

    private Future<@Nullable Duration> sync(ObjectNode cronJob) {
        Instant now = context.clock().instant();
        Optional<CronSchedule> schedule = schedule(cronJob.path("spec"));
        boolean rests = Metadata.of(cronJob).deleting()
                || cronJob.path("spec").path("suspend").asBoolean()
                || schedule.isEmpty();
        Optional<Instant> due = rests ? Optional.empty() : schedule.flatMap(times -> due(cronJob, times, now));
        return forgetOld(cronJob)
                .compose(done -> due.map(time -> run(cronJob, time)).orElse(Future.succeededFuture()))
                .compose(done -> writes.updateStatus(
                        Kind.CRON_JOB, cronJob, status -> new CronStatus(jobs(cronJob)).fill(status)))
                .onSuccess(written -> announceEnds(cronJob, written))
                .map(done -> rests
                        ? null
                        : schedule.flatMap(times -> times.next(now))
                                .map(next -> Duration.between(now, next))
                                .orElse(null));
    }

    /** What the status no longer names as active has come to its end. */
    private void announceEnds(ObjectNode before, ObjectNode cronJob) {
        Set<String> active = CronStatus.active(before);
        jobs(cronJob).stream()
                .filter(job -> CronStatus.isOver(job)
                        && active.contains(Metadata.of(job).uid()))
                .forEach(job -> events.normal(
                        Kind.CRON_JOB,
                        cronJob,
                        "SawCompletedJob",
                        "Saw completed job: " + Metadata.of(job).name() + ", status: "
                                + (CronStatus.is(job, "Complete") ? "Complete" : "Failed")));
    }

    private static Optional<CronSchedule> schedule(JsonNode spec) {
        try {
            String zone = spec.path("timeZone").asText("UTC");
            return Optional.of(CronSchedule.parse(spec.path("schedule").asText(), ZoneId.of(zone)));
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The latest time since the last run that is not too long ago. */
    private static Optional<Instant> due(ObjectNode cronJob, CronSchedule schedule, Instant now) {
        Instant since = Times.read(cronJob.path("status").path("lastScheduleTime"))
                .or(() -> Times.read(cronJob.path("metadata").path("creationTimestamp")))
                .orElse(now);
        JsonNode deadline = cronJob.path("spec").path("startingDeadlineSeconds");
        Instant earliest = deadline.isNumber() ? now.minus(Seconds.of(deadline)) : since;
        return schedule.due(earliest.isAfter(since) ? earliest : since, now);
    }

    private Future<?> run(ObjectNode cronJob, Instant time) {
        List<ObjectNode> active =
                jobs(cronJob).stream().filter(job -> !CronStatus.isOver(job)).toList();
        String policy = cronJob.path("spec").path("concurrencyPolicy").asText();
        if (policy.equals("Forbid") && !active.isEmpty()) {
            events.normal(
                    Kind.CRON_JOB,
                    cronJob,
                    "JobAlreadyActive",
                    "Not starting job because prior execution is running and concurrency policy is Forbid");
            return Future.succeededFuture();
        }
        return deleteAll(cronJob, policy.equals("Replace") ? active : List.of())
                .compose(done -> context.store().create(Kind.JOB.resource(), job(cronJob, time)))
                .onSuccess(made -> events.normal(
                        Kind.CRON_JOB,
                        cronJob,
                        "SuccessfulCreate",
                        "Created job " + Metadata.of(made).name()))
                .<Void>mapEmpty()
                .recover(failure -> failure instanceof StatusException refused
                                && refused.reason().equals("AlreadyExists")
                        ? Future.succeededFuture()
                        : Future.failedFuture(failure))
                .compose(made -> writes.updateStatus(
                        Kind.CRON_JOB, cronJob, status -> status.put("lastScheduleTime", Metadata.time(time))));
    }

    /** Named by its time, so that none runs twice. */
    private static ObjectNode job(ObjectNode cronJob, Instant time) {
        ObjectNode job = Templates.object(cronJob.path("spec").path("jobTemplate"), Kind.JOB, cronJob, Kind.CRON_JOB);
        ObjectNode metadata = Metadata.of(job).node();
        metadata.put("name", Metadata.of(cronJob).name() + "-" + time.getEpochSecond() / 60);
        metadata.withObject("/annotations").put("batch.kubernetes.io/cronjob-scheduled-timestamp", Metadata.time(time));
        return job;
    }

    private Future<Void> forgetOld(ObjectNode cronJob) {
        JsonNode spec = cronJob.path("spec");
        List<ObjectNode> jobs = jobs(cronJob);
        return deleteAll(
                cronJob,
                Stream.concat(
                                beyond(
                                        jobs,
                                        "Complete",
                                        spec.path("successfulJobsHistoryLimit").asInt(3)),
                                beyond(
                                        jobs,
                                        "Failed",
                                        spec.path("failedJobsHistoryLimit").asInt(1)))
                        .toList());
    }

    /** Their Pods go with them. */
    private Future<Void> deleteAll(ObjectNode cronJob, List<ObjectNode> jobs) {
        List<Future<?>> gone = new ArrayList<>();
        jobs.forEach(job -> gone.add(writes.delete(Kind.JOB, job, "Background")
                .onSuccess(done -> events.normal(
                        Kind.CRON_JOB,
                        cronJob,
                        "SuccessfulDelete",
                        "Deleted job " + Metadata.of(job).name()))));
        return Future.all(gone).mapEmpty();
    }

    private static Stream<ObjectNode> beyond(List<ObjectNode> jobs, String end, int limit) {
        List<ObjectNode> ended =
                jobs.stream().filter(job -> CronStatus.is(job, end)).toList();
        return ended.stream().limit(Math.max(0, ended.size() - limit));
    }

    /** The oldest first. */
    private List<ObjectNode> jobs(ObjectNode cronJob) {
        return context.owned().jobs().of(Metadata.of(cronJob).uid()).stream()
                .filter(job -> !Metadata.of(job).deleting())
                .sorted(Pods.byAge())
                .toList();
    }
}
