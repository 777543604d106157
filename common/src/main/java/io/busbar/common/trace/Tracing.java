package io.busbar.common.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Begins spans, or is off: then nothing may be begun, and what is passed on of a span is the empty text.
 *
 * <p>Any thread.
 */
public final class Tracing {

    /** What {@code traceparent} is called in the headers of a request. */
    public static final String HEADER = "traceparent";

    private static final Tracing OFF = new Tracing(null);
    private static final TextMapGetter<String> ITSELF = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(String traceparent) {
            return List.of(HEADER);
        }

        @Override
        public @Nullable String get(@Nullable String traceparent, String name) {
            return name.equals(HEADER) ? traceparent : null;
        }
    };

    private final @Nullable Tracer tracer;

    private Tracing(@Nullable Tracer tracer) {
        this.tracer = tracer;
    }

    public static Tracing off() {
        return OFF;
    }

    /** Whether spans of this go anywhere, and which of them, is up to the telemetry. */
    public static Tracing to(OpenTelemetry telemetry) {
        return new Tracing(telemetry.getTracer("io.busbar"));
    }

    public boolean isOn() {
        return tracer != null;
    }

    /**
     * A span to begin.
     *
     * @param traceparent of its parent; empty, or no such text, for the first of a trace
     * @throws IllegalStateException when this is off
     */
    public SpanBuilder span(String name, String traceparent) {
        return span(name, Context.root().with(Span.wrap(context(traceparent))));
    }

    /**
     * A span to begin.
     *
     * @param parent of which the span may be the first of a trace, too
     * @throws IllegalStateException when this is off
     */
    public SpanBuilder span(String name, Context parent) {
        if (tracer == null) {
            throw new IllegalStateException("span '" + name + "' although tracing is off");
        }
        return tracer.spanBuilder(name).setParent(parent);
    }

    /** What stands for a span elsewhere; not valid where the text is none. */
    public static SpanContext context(String traceparent) {
        if (traceparent.isEmpty()) {
            return SpanContext.getInvalid();
        }
        return Span.fromContext(W3CTraceContextPropagator.getInstance().extract(Context.root(), traceparent, ITSELF))
                .getSpanContext();
    }

    /** The text that stands for a span elsewhere: {@code 00-TRACE-SPAN-FLAGS}. */
    public static String traceparent(Span span) {
        SpanContext context = span.getSpanContext();
        return "00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                + context.getTraceFlags().asHex();
    }
}
