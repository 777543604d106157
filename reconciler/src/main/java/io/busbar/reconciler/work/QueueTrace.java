package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.trace.Tracing;
import io.busbar.reconciler.queue.WorkQueue.Taken;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The time that keys wait as spans, each from when the key could have been handed out until it was.
 *
 * <p>The span belongs to the trace of the request that came first; it is linked to those that came on top of it. What
 * follows on a failure stays in its trace. What a reconcile has asked for begins a trace of its own, linked to the one
 * before, since it may go on for ever.
 *
 * <p>One context. Does nothing, and holds nothing, while tracing is off.
 */
final class QueueTrace {

    /** As many as are commonly kept of a span. */
    private static final int MOST_LINKS = 128;

    private final Tracing tracing;
    private final String controller;
    private final InstantSource clock;
    private final Map<ObjectKey, Wait> waiting = new HashMap<>();
    private final Map<ObjectKey, Out> out = new HashMap<>();

    QueueTrace(Tracing tracing, String controller, InstantSource clock) {
        this.tracing = tracing;
        this.controller = controller;
        this.clock = clock;
    }

    /** Why a key waits, and from when on. */
    private static final class Wait {
        private Instant since;
        private String parent = "";
        private final List<String> links = new ArrayList<>();

        Wait(Instant since) {
            this.since = since;
        }

        void joined(String traceparent) {
            if (parent.isEmpty()) {
                parent = traceparent;
            } else if (!traceparent.isEmpty() && links.size() < MOST_LINKS) {
                links.add(traceparent);
            }
        }
    }

    /**
     * A key that is out.
     *
     * @param parent of its wait; empty for the first span of a trace
     * @param itself its wait
     */
    private record Out(String parent, String itself) {}

    /** A key has been added. */
    void requested(ReconcileRequest request) {
        if (tracing.isOn()) {
            wait(request.key(), clock.instant()).joined(request.traceparent());
        }
    }

    private Wait wait(ObjectKey key, Instant since) {
        Wait wait = waiting.computeIfAbsent(key, first -> new Wait(since));
        wait.since = since.isBefore(wait.since) ? since : wait.since;
        return wait;
    }

    /** A key is handed out: gives what its reconcile is the child of. */
    String taken(Taken taken) {
        if (!tracing.isOn()) {
            return "";
        }
        Instant now = clock.instant();
        Wait wait = wait(taken.key(), now);
        waiting.remove(taken.key());
        SpanBuilder span = tracing.span("queue " + controller, wait.parent)
                .setStartTimestamp(wait.since)
                .setAttribute("controller", controller)
                .setAttribute("namespace", taken.key().namespace())
                .setAttribute("name", taken.key().name())
                .setAttribute("reason", reason(taken.reason()))
                .setAttribute("attempt", taken.attempt());
        wait.links.forEach(link -> span.addLink(Tracing.context(link)));
        Span waited = span.startSpan();
        waited.end(now);
        String itself = Tracing.traceparent(waited);
        out.put(taken.key(), new Out(wait.parent, itself));
        return itself;
    }

    /**
     * A key has come back.
     *
     * @param delay until it can be handed out again, if it is to be
     */
    void settled(ObjectKey key, ReconcileOutcome.Kind how, Duration delay) {
        Out before = out.remove(key);
        if (before == null) {
            return;
        }
        switch (how) {
            case FAILED ->
                wait(key, clock.instant().plus(delay)).joined(before.parent.isEmpty() ? before.itself : before.parent);
            case REQUEUE, REQUEUE_AFTER, CONFLICT ->
                wait(key, clock.instant().plus(delay)).links.add(before.itself);
            case AWAIT_CHANGE, TERMINALLY_FAILED -> {}
        }
    }

    private static String reason(Reason reason) {
        return switch (reason) {
            case CHANGE -> "change";
            case INITIAL_LIST -> "list";
            case RESYNC -> "resync";
        };
    }
}
