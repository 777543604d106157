package io.busbar.reconciler.work;

import io.busbar.common.bus.ReconcileOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;

/**
 * The {@code controller_runtime_…} metrics of one controller, under controller-runtime's names and labels, with finer
 * buckets below 10 ms; and three of our own, {@code busbar_reconcile_overdue}, {@code busbar_reconcile_paused_total}
 * and {@code busbar_reconcile_conflicts_total}.
 *
 * <p>Any thread.
 */
final class ReconcileMetrics {

    private static final Duration[] BUCKETS = LongStream.of(
                    1, 2, 3, 5, 7, 10, 15, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final Map<ReconcileOutcome.Kind, Counter> results = new EnumMap<>(ReconcileOutcome.Kind.class);
    private final AtomicInteger active = new AtomicInteger();
    private final Counter errors;
    private final Counter terminalErrors;
    private final Counter panics;
    private final Counter timeouts;
    private final Counter conflicts;
    private final Counter paused;
    private final Timer time;

    ReconcileMetrics(MeterRegistry meters, String controller, int workers, IntSupplier overdue) {
        Tags tags = Tags.of("controller", controller);
        for (ReconcileOutcome.Kind kind : ReconcileOutcome.Kind.values()) {
            results.put(
                    kind,
                    counter(
                            "controller_runtime_reconcile",
                            "Reconciles by result.",
                            tags.and("result", result(kind)),
                            meters));
        }
        errors = counter("controller_runtime_reconcile_errors", "Reconciles that failed.", tags, meters);
        terminalErrors = counter(
                "controller_runtime_terminal_reconcile_errors",
                "Reconciles that failed and are not tried again before a change.",
                tags,
                meters);
        panics = counter("controller_runtime_reconcile_panics", "Reconciles that failed by a bug.", tags, meters);
        timeouts = counter("controller_runtime_reconcile_timeouts", "Reconciles that took too long.", tags, meters);
        conflicts = counter(
                "busbar_reconcile_conflicts",
                "Reconciles that are made again, as somebody else had changed the object first.",
                tags,
                meters);
        paused = counter(
                "busbar_reconcile_paused", "Reconciles left out as the object's annotation pauses them.", tags, meters);
        time = Timer.builder("controller_runtime_reconcile_time")
                .description("How long reconciles took.")
                .tags(tags)
                .serviceLevelObjectives(BUCKETS)
                .register(meters);
        gauge("controller_runtime_max_concurrent_reconciles", "Workers that there are.", tags, meters, () -> workers);
        gauge("controller_runtime_active_workers", "Workers that reconcile.", tags, meters, active::get);
        gauge(
                "busbar_reconcile_overdue",
                "Reconciles that go on although they were interrupted.",
                tags,
                meters,
                overdue);
    }

    private static Counter counter(String name, String description, Tags tags, MeterRegistry meters) {
        return Counter.builder(name).description(description).tags(tags).register(meters);
    }

    private static void gauge(String name, String description, Tags tags, MeterRegistry meters, IntSupplier value) {
        Gauge.builder(name, value, IntSupplier::getAsInt)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(meters);
    }

    private static String result(ReconcileOutcome.Kind kind) {
        return switch (kind) {
            case AWAIT_CHANGE -> "success";
            case REQUEUE, CONFLICT -> "requeue";
            case REQUEUE_AFTER -> "requeue_after";
            case FAILED, TERMINALLY_FAILED -> "error";
        };
    }

    void began() {
        active.incrementAndGet();
    }

    void ended(ReconcileOutcome outcome, long nanos) {
        active.decrementAndGet();
        time.record(nanos, TimeUnit.NANOSECONDS);
        Counter result = results.get(outcome.kind());
        if (result != null) {
            result.increment();
        }
        switch (outcome.kind()) {
            case FAILED -> errors.increment();
            case TERMINALLY_FAILED -> {
                errors.increment();
                terminalErrors.increment();
            }
            case CONFLICT -> conflicts.increment();
            case AWAIT_CHANGE, REQUEUE, REQUEUE_AFTER -> {}
        }
    }

    void panicked() {
        panics.increment();
    }

    void timedOut() {
        timeouts.increment();
    }

    void wasPaused() {
        paused.increment();
    }
}
