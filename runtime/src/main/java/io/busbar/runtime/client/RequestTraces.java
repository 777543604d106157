package io.busbar.runtime.client;

import com.google.common.collect.MapMaker;
import io.busbar.common.api.ApiCall;
import io.busbar.common.trace.Tracing;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentMap;

/**
 * Makes a span of each attempt at a request of a traced reconcile, and tells the API server of it, which may trace what
 * it does itself. Requests that nobody traces, such as watches, are left alone.
 *
 * <p>Any thread. The first attempt is made on the thread of the reconcile, later ones on others.
 */
final class RequestTraces implements Interceptor {

    private static final int FIRST_ERROR = 400;

    private final Tracing tracing;

    /**
     * By what all attempts at one request share, and no two requests do: the object that is its address. Goes with the
     * request, since nobody is told that a request is not tried again.
     */
    private final ConcurrentMap<URI, Attempt> attempts =
            new MapMaker().weakKeys().makeMap();

    private record Attempt(Context reconcile, Span span) {}

    RequestTraces(Tracing tracing) {
        this.tracing = tracing;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        Context here = Context.current();
        Attempt earlier = attempts.get(request.uri());
        if (Span.fromContext(here).getSpanContext().isValid()) {
            trace(here, builder, request);
        } else if (earlier != null) {
            trace(earlier.reconcile, builder, request);
        }
    }

    private void trace(Context reconcile, BasicBuilder builder, HttpRequest request) {
        Span span = span(reconcile, request)
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("http.request.method", request.method())
                .setAttribute("url.path", request.uri().getPath())
                .startSpan();
        attempts.put(request.uri(), new Attempt(reconcile, span));
        builder.setHeader(Tracing.HEADER, Tracing.traceparent(span));
    }

    private SpanBuilder span(Context reconcile, HttpRequest request) {
        return ApiCall.of(request.method(), request.uri())
                .map(call -> tracing.span(call.verb() + " " + call.resource(), reconcile)
                        .setAttribute("verb", call.verb())
                        .setAttribute("resource", call.resource())
                        .setAttribute("namespace", call.namespace())
                        .setAttribute("name", call.name()))
                .orElseGet(() -> tracing.span(request.method(), reconcile));
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        Attempt attempt = attempts.get(request.uri());
        if (attempt != null) {
            attempt.span.setAttribute("http.response.status_code", response.code());
            if (response.code() >= FIRST_ERROR) {
                attempt.span.setStatus(StatusCode.ERROR);
            }
            attempt.span.end();
        }
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        Attempt attempt = attempts.get(request.uri());
        if (attempt != null) {
            attempt.span.recordException(failure);
            attempt.span.setStatus(StatusCode.ERROR);
            attempt.span.end();
        }
    }
}
