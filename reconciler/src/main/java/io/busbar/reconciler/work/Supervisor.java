package io.busbar.reconciler.work;

import io.busbar.common.ResourceType;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.guard.Thrown;
import io.busbar.reconciler.TerminalException;
import io.busbar.reconciler.leader.FencedException;
import io.opentelemetry.api.trace.Span;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs reconciles so that nothing of them escapes: whatever is thrown, and time that runs out, becomes an outcome.
 * Names the reconcile in every log line of its thread, logs how it ended, counts and traces it.
 *
 * <p>Any thread: the caller's.
 */
final class Supervisor {

    private static final Logger log = LoggerFactory.getLogger(Supervisor.class);
    private static final List<String> LOG_KEYS = List.of(
            "controller",
            "controllerGroup",
            "controllerKind",
            "cluster",
            "namespace",
            "name",
            "reconcileID",
            "trigger",
            "triggerObject",
            "triggerVersion",
            "triggerSource");

    private final String controller;
    private final ResourceType primaries;
    private final Duration limit;
    private final Deadlines deadlines;
    private final ReconcileMetrics metrics;
    private final ReconcileTrace trace;
    private final Work work;
    private final Account account;

    /** What is supervised. */
    @FunctionalInterface
    interface Work {
        ReconcileOutcome run(ReconcileTask task) throws Exception;
    }

    /** Is told of each failure, within a time limit of its own; must not throw. */
    @FunctionalInterface
    interface Account {
        void give(ReconcileTask task, Throwable failure);
    }

    Supervisor(
            String controller,
            ResourceType primaries,
            Duration limit,
            Deadlines deadlines,
            ReconcileMetrics metrics,
            ReconcileTrace trace,
            Work work,
            Account account) {
        this.controller = controller;
        this.primaries = primaries;
        this.limit = limit;
        this.deadlines = deadlines;
        this.metrics = metrics;
        this.trace = trace;
        this.work = work;
        this.account = account;
    }

    ReconcileOutcome run(ReconcileTask task) {
        MDC.put("controller", controller);
        MDC.put("controllerGroup", primaries.group());
        MDC.put("controllerKind", primaries.kind());
        if (!task.key().cluster().isEmpty()) {
            MDC.put("cluster", task.key().cluster());
        }
        MDC.put("namespace", task.key().namespace());
        MDC.put("name", task.key().name());
        MDC.put("reconcileID", task.reconcileId());
        nameTrigger(task.cause());
        try {
            return trace.around(task, () -> measured(task));
        } finally {
            LOG_KEYS.forEach(MDC::remove);
        }
    }

    private static void nameTrigger(Cause cause) {
        MDC.put("trigger", cause.how().name().toLowerCase(Locale.ROOT));
        if (!cause.kind().isEmpty()) {
            MDC.put("triggerObject", cause.kind() + " " + cause.object());
            MDC.put("triggerVersion", cause.resourceVersion());
        }
        if (!cause.source().isEmpty()) {
            MDC.put("triggerSource", cause.source());
        }
    }

    private ReconcileOutcome measured(ReconcileTask task) {
        long begin = System.nanoTime();
        metrics.began();
        ReconcileOutcome outcome = ReconcileOutcome.failed("its end could not be told");
        try {
            outcome = attempt(task);
        } finally {
            metrics.ended(outcome, System.nanoTime() - begin);
        }
        log.atDebug()
                .addKeyValue("outcome", outcome.kind())
                .addKeyValue("delay", outcome.delay())
                .log("reconciled");
        return outcome;
    }

    private ReconcileOutcome attempt(ReconcileTask task) {
        Deadlines.Run run = deadlines.begin(task);
        @Nullable Throwable failure = null;
        ReconcileOutcome outcome = ReconcileOutcome.awaitChange();
        try {
            outcome = work.run(task);
        } catch (Throwable thrown) { // a worker outlives even the errors of what it runs
            failure = thrown;
        }
        return switch (run.end()) {
            case TIMED_OUT -> timedOut(task);
            case STOPPED -> stopped(outcome, failure);
            case IN_TIME -> failure == null ? outcome : failed(failure, task);
        };
    }

    private ReconcileOutcome timedOut(ReconcileTask task) {
        metrics.timedOut();
        return failed(new TimeoutException("took longer than " + limit), task);
    }

    /** Not worth a report: its operator is going away. */
    private static ReconcileOutcome stopped(ReconcileOutcome outcome, @Nullable Throwable failure) {
        return failure == null ? outcome : ReconcileOutcome.failed("interrupted to stop: " + Thrown.text(failure));
    }

    private ReconcileOutcome failed(Throwable failure, ReconcileTask task) {
        if (FailureReport.isPanic(failure)) {
            metrics.panicked();
        }
        FailureReport.log(failure, task.attempt());
        Span.current().recordException(Thrown.loggable(failure));
        tell(task, failure);
        String message = FailureReport.message(failure);
        return failure instanceof TerminalException
                ? ReconcileOutcome.terminallyFailed(message)
                : ReconcileOutcome.failed(message);
    }

    /** One who is told that another replica leads has nothing to write any more. */
    private void tell(ReconcileTask task, Throwable failure) {
        if (failure instanceof FencedException) {
            return;
        }
        Deadlines.Run run = deadlines.begin(task);
        try {
            account.give(task, failure);
        } finally {
            run.end();
        }
    }
}
