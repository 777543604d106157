package io.busbar.runtime.live;

import io.busbar.admission.server.ReviewLog.Decided;
import io.busbar.reconciler.view.ControllerView;
import io.busbar.reconciler.view.ControllerView.Delayed;
import io.busbar.reconciler.view.ControllerView.InFlight;
import io.busbar.reconciler.view.ControllerView.Restless;
import io.busbar.watcher.WatchStatus;
import io.busbar.watcher.reflect.StreamStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds what stands out. Pure; one thread. */
final class Problems {

    /** A reconcile that takes so much longer than any before, and longer than this, is suspect. */
    private static final int TIMES_LONGER = 3;

    private static final Duration LONG = Duration.ofSeconds(1);
    private static final Duration LONG_WAIT = Duration.ofSeconds(5);
    private static final int MANY_FAILURES = 5;

    /** With bookmarks, about one a minute comes. */
    private static final Duration LONG_SILENCE = Duration.ofSeconds(90);

    private static final Duration SOON = Duration.ofDays(7);
    private static final Duration LATELY = Duration.ofMinutes(1);
    private static final int MOST = 30;

    private final Instant now;
    private final List<Problem> found = new ArrayList<>();

    Problems(Instant now) {
        this.now = now;
    }

    /** What is severe first, and not more than a reader can take in. */
    List<Problem> of(
            List<ControllerView> controllers,
            List<WatchStatus> watches,
            List<Decided> reviews,
            Optional<Instant> certificate,
            List<String> remarks) {
        remarks.forEach(remark -> found.add(Problem.notice(
                remark, "this part of the operator waits for that, and goes on by itself: /readyz?verbose")));
        watches.forEach(this::watch);
        certificate.ifPresent(this::certificate);
        reviews.stream()
                .filter(review -> review.code() >= 500 && review.at().isAfter(now.minus(LATELY)))
                .findFirst()
                .ifPresent(this::failed);
        controllers.forEach(this::controller);
        return found.stream()
                .sorted(Comparator.comparing(problem -> !problem.isSevere()))
                .limit(MOST)
                .toList();
    }

    private void watch(WatchStatus watch) {
        watch.streams().forEach(stream -> stream(watch, stream));
    }

    private void stream(WatchStatus watch, StreamStatus stream) {
        String what = "the watch of " + watch.name()
                + (stream.namespace().isEmpty() ? "" : " in namespace " + stream.namespace());
        Instant lastSign = now.minus(stream.silence());
        if (!stream.failure().isEmpty()) {
            found.add(Problem.severe(
                            what + " cannot be had: " + stream.failure(),
                            "objects are as they were last seen; it is tried on. Look at the API server, at the"
                                    + " operator's role and at whether the CRD is installed")
                    .since(lastSign));
        } else if (stream.bookmark().isPresent() && stream.silence().compareTo(LONG_SILENCE) > 0) {
            found.add(Problem.severe(
                            what + " has been silent",
                            "bookmarks should come each minute; it is given up and begun again by itself. If that does"
                                    + " not help, look for a proxy that holds answers back")
                    .since(lastSign));
        } else if (!watch.synced()) {
            found.add(Problem.notice(
                    what + " is being listed", "nothing is reconciled before all kinds of a controller are listed"));
        }
    }

    private void certificate(Instant expiry) {
        String help = "see whether cert-manager, or whoever makes it, does; it is read again by itself";
        if (expiry.isBefore(now)) {
            found.add(Problem.severe("the certificate of the webhooks has expired: " + expiry, help));
        } else if (expiry.isBefore(now.plus(SOON))) {
            found.add(Problem.notice("the certificate of the webhooks expires soon: " + expiry, help));
        }
    }

    private void failed(Decided review) {
        found.add(Problem.severe(
                "a webhook fails: " + review.webhook() + " on " + review.operation() + " of " + review.kind() + " "
                        + review.namespace() + "/" + review.name() + ": " + review.refusal(),
                "the operator's log has the whole error"));
    }

    private void controller(ControllerView controller) {
        controller.inFlight().forEach(one -> inFlight(controller, one));
        Duration oldest = controller.queue().oldestWait();
        if (controller.inFlight().size() >= controller.workers() && oldest.compareTo(LONG_WAIT) > 0) {
            found.add(Problem.notice(
                            controller.name() + ": all of its " + controller.workers()
                                    + " workers are busy, and keys wait",
                            "see what is in flight; --max-concurrent-reconciles gives more workers")
                    .since(now.minus(oldest)));
        }
        controller.queue().next().forEach(one -> delayed(controller, one));
        controller.restless().forEach(one -> restless(controller, one));
    }

    private void inFlight(ControllerView controller, InFlight one) {
        Duration lasts = Duration.between(one.begun(), now);
        if (one.isOverdue()) {
            found.add(Problem.severe(
                            "the reconcile ignores that its time of "
                                    + controller.limit().toSeconds() + " s is up",
                            "its key and its worker wait until it ends: a thread dump (kill -3) shows where it is")
                    .about(controller.name(), one.key())
                    .since(one.begun()));
        } else if (lasts.compareTo(LONG) > 0
                && lasts.compareTo(one.longestBefore().multipliedBy(TIMES_LONGER)) > 0) {
            found.add(Problem.notice(
                            "the reconcile takes long",
                            "it is interrupted after " + controller.limit().toSeconds()
                                    + " s; see what it waits for: the API server, a server of its own, a lock")
                    .about(controller.name(), one.key())
                    .since(one.begun()));
        }
    }

    private void delayed(ControllerView controller, Delayed one) {
        if (one.failures() >= MANY_FAILURES) {
            found.add(Problem.notice(
                            "has failed " + one.failures() + " times in a row"
                                    + (one.error().isEmpty() ? "" : ": " + one.error()),
                            "it is tried again with a growing pause; a change of the object has it tried at once")
                    .about(controller.name(), one.key()));
        }
    }

    private void restless(ControllerView controller, Restless one) {
        found.add(Problem.notice(
                        "was reconciled " + one.times() + " times within "
                                + Math.max(1, one.within().toSeconds()) + " s, last because of "
                                + Picture.why(one.cause()),
                        "does the controller write what brings it back? Its last reconciles show what it wrote")
                .about(controller.name(), one.key()));
    }
}
