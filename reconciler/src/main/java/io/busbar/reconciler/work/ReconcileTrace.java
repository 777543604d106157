package io.busbar.reconciler.work;

import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.busbar.common.trace.Tracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.util.Locale;
import java.util.function.Supplier;
import org.slf4j.MDC;

/**
 * Reconciles as spans: while one lasts it is the current span of its thread, so that requests to the API server find
 * it, and log lines name its trace.
 *
 * <p>Any thread: the caller's.
 */
record ReconcileTrace(Tracing tracing, String controller) {

    private static final String LOG_KEY = "trace_id";

    /** Traces a reconcile, unless tracing is off. */
    ReconcileOutcome around(ReconcileTask task, Supplier<ReconcileOutcome> reconcile) {
        return tracing.isOn() ? traced(task, reconcile) : reconcile.get();
    }

    private ReconcileOutcome traced(ReconcileTask task, Supplier<ReconcileOutcome> reconcile) {
        Span span = begin(task);
        MDC.put(LOG_KEY, span.getSpanContext().getTraceId());
        try {
            ReconcileOutcome outcome =
                    Context.current().with(span).wrapSupplier(reconcile).get();
            span.setAttribute("outcome", outcome.kind().name().toLowerCase(Locale.ROOT));
            if (!outcome.error().isEmpty()) {
                span.setStatus(StatusCode.ERROR, outcome.error());
            }
            return outcome;
        } finally {
            MDC.remove(LOG_KEY);
            span.end();
        }
    }

    private Span begin(ReconcileTask task) {
        return tracing.span("reconcile " + controller, task.traceparent())
                .setSpanKind(SpanKind.CONSUMER)
                .setAttribute("controller", controller)
                .setAttribute("namespace", task.key().namespace())
                .setAttribute("name", task.key().name())
                .setAttribute("reconcileID", task.reconcileId())
                .setAttribute("attempt", task.attempt())
                .startSpan();
    }
}
