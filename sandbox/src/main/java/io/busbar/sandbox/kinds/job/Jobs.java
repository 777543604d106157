package io.busbar.sandbox.kinds.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.clock.Seconds;
import io.busbar.sandbox.controller.Claims;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.EventRecorder;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.PodControl;
import io.busbar.sandbox.controller.Times;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.kinds.replicaset.DeletionOrder;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs as many Pods of a Job as are wanted at a time, and tells when it is over.
 *
 * <p>One context.
 */
public final class Jobs {

    private static final int BURST = 500;

    /** Who cares for a Job that does not name another controller. */
    private static final String OWN = "kubernetes.io/job-controller";

    private final ControllerContext context;
    private final Claims claims;
    private final Writes writes;
    private final EventRecorder events;
    private final PodControl control;

    private Jobs(ControllerContext context) {
        this.context = context;
        this.claims = new Claims(context, Kind.JOB, Kind.POD, context.owned().pods());
        this.writes = Writes.of(context);
        this.events = new EventRecorder(context, context.name());
        this.control = new PodControl(context, Kind.JOB, events);
    }

    public static ControllerLoop start(ControllerContext context) {
        Jobs jobs = new Jobs(context);
        return new ControllerLoop(context, Kind.JOB, jobs::sync).adopts(Kind.POD, Jobs::selector);
    }

    private static LabelSelector selector(ObjectNode job) {
        return LabelSelector.of(job.path("spec").path("selector"));
    }

    private Future<@Nullable Duration> sync(ObjectNode job) {
        String manager = job.path("spec").path("managedBy").asText(OWN);
        if (!manager.equals(OWN)) {
            return Future.succeededFuture();
        }
        if (JobStatus.isOver(job)) {
            return expire(job);
        }
        return claims.settle(job, selector(job)).compose(pods -> {
            Tally tally = new Tally(job, pods, context.clock().instant());
            Optional<JobVerdict> verdict = JobStatus.isSuspended(job) ? Optional.empty() : JobVerdict.of(tally);
            return act(tally, verdict)
                    .compose(done -> writeStatus(tally, verdict))
                    .map(written -> verdict.isPresent() ? null : again(tally, written));
        });
    }

    private Future<Void> act(Tally tally, Optional<JobVerdict> verdict) {
        List<ObjectNode> active = tally.active();
        if (Metadata.of(tally.job()).deleting()) {
            return Future.succeededFuture();
        }
        if (verdict.isPresent() || JobStatus.isSuspended(tally.job())) {
            return control.deleteAll(tally.job(), active);
        }
        int missing = tally.wanted() - active.size();
        if (missing < 0) {
            return control.deleteAll(
                    tally.job(),
                    active.stream()
                            .sorted(DeletionOrder.among(active))
                            .limit(-missing)
                            .toList());
        }
        return tally.backoff().isZero() ? create(tally, Math.min(missing, BURST)) : Future.succeededFuture();
    }

    private Future<Void> create(Tally tally, int count) {
        if (!tally.isIndexed()) {
            return Writes.slowly(count, () -> control.create(tally.job(), JobPods.pod(tally.job())));
        }
        List<Integer> indexes = tally.missing(count);
        Iterator<Integer> next = indexes.iterator();
        return Writes.slowly(indexes.size(), () -> control.create(tally.job(), JobPods.pod(tally.job(), next.next())));
    }

    /** With a verdict, Pods are counted as they were before it. */
    private Future<ObjectNode> writeStatus(Tally tally, Optional<JobVerdict> verdict) {
        Tally counted = verdict.isPresent() ? tally : tally(tally.job());
        return writes.updateStatus(Kind.JOB, tally.job(), status -> new JobStatus(counted).fill(status, verdict))
                .onSuccess(written -> announce(tally.job(), written, verdict));
    }

    private void announce(ObjectNode before, ObjectNode job, Optional<JobVerdict> verdict) {
        if (verdict.isPresent()) {
            JobVerdict end = verdict.get();
            if (end.type().equals("Complete")) {
                events.normal(Kind.JOB, job, "Completed", "Job completed");
            } else {
                events.warning(Kind.JOB, job, end.reason(), end.message());
            }
        } else if (JobStatus.wasSuspended(before) != JobStatus.wasSuspended(job)) {
            boolean suspended = JobStatus.wasSuspended(job);
            events.normal(
                    Kind.JOB, job, suspended ? "Suspended" : "Resumed", suspended ? "Job suspended" : "Job resumed");
        }
    }

    private Tally tally(ObjectNode job) {
        return new Tally(
                job,
                context.owned().pods().of(Metadata.of(job).uid()),
                context.clock().instant());
    }

    /**
     * At its deadline, or when the next Pod may be tried.
     *
     * @param before as it was when that was decided
     */
    private @Nullable Duration again(Tally before, ObjectNode job) {
        Tally tally = tally(job);
        return Stream.of(Optional.ofNullable(JobVerdict.untilDeadline(tally)), tally.retryAfter(before))
                .flatMap(Optional::stream)
                .min(Duration::compareTo)
                .orElse(null);
    }

    private Future<@Nullable Duration> expire(ObjectNode job) {
        JsonNode life = job.path("spec").path("ttlSecondsAfterFinished");
        if (!life.isNumber() || Metadata.of(job).deleting()) {
            return Future.succeededFuture();
        }
        Instant now = context.clock().instant();
        Instant end = Stream.of("Complete", "Failed")
                .map(type ->
                        Times.read(Conditions.find(job.path("status"), type).path("lastTransitionTime")))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(now);
        Duration left = Duration.between(now, end.plus(Seconds.of(life)));
        return left.compareTo(Duration.ZERO) > 0
                ? Future.succeededFuture(left)
                : writes.delete(Kind.JOB, job, "Foreground").map(done -> null);
    }
}
