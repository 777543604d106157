package io.busbar.admission.server;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.review.Review;
import io.busbar.common.trace.Tracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Objects;
import org.slf4j.MDC;

/**
 * One request as a span: the child of the API server's where it sends one. While the request is answered it is the
 * current span of its thread, and log lines name its trace.
 *
 * <p>One context.
 */
record ReviewTrace(Span span) {

    private static final String LOG_KEY = "trace_id";
    private static final ReviewTrace NONE = new ReviewTrace(Span.getInvalid());

    /** Of the server's own checks there is none. */
    static ReviewTrace begin(Tracing tracing, HttpServerRequest request, Webhook webhook) {
        if (!tracing.isOn() || webhook.path().equals(SelfCheck.PATH)) {
            return NONE;
        }
        String method = request.method().name();
        return new ReviewTrace(tracing.span(
                        method + " " + webhook.path(),
                        Objects.requireNonNullElse(request.getHeader(Tracing.HEADER), ""))
                .setSpanKind(SpanKind.SERVER)
                .setAttribute("http.request.method", method)
                .setAttribute("url.path", request.path())
                .startSpan());
    }

    Answer answer(Webhook webhook, byte[] body) {
        if (!span.getSpanContext().isValid()) {
            return webhook.answer(body);
        }
        MDC.put(LOG_KEY, span.getSpanContext().getTraceId());
        try {
            return Context.current()
                    .with(span)
                    .wrapSupplier(() -> webhook.answer(body))
                    .get();
        } finally {
            MDC.remove(LOG_KEY);
        }
    }

    /** Says what was reviewed, and how that ended, of the request that is answered on this thread. */
    static void decided(Review review, AdmissionDecision decision) {
        Span span = Span.current();
        if (span.isRecording()) {
            span.setAttribute("uid", review.uid());
            span.setAttribute("operation", review.operation().name().toLowerCase(Locale.ROOT));
            span.setAttribute("resource", review.resource());
            span.setAttribute("namespace", review.namespace());
            span.setAttribute("name", review.name());
            span.setAttribute("dryRun", review.dryRun());
            span.setAttribute("allowed", !(decision instanceof AdmissionDecision.Denied));
        }
    }

    void answered(int code) {
        span.setAttribute("http.response.status_code", code);
        if (code >= 500) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    /** The request has ended without an answer. */
    void cut() {
        span.setStatus(StatusCode.ERROR, "the client has gone");
        span.end();
    }
}
