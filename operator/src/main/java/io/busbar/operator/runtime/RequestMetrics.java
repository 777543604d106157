package io.busbar.operator.runtime;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Counts a client's requests as client-go does, in rest_client_requests_total: by method, host, and status, which is
 * {@code <error>} where there was no answer.
 *
 * <p>Any thread.
 */
final class RequestMetrics implements Interceptor {

    private final MeterProvider<Counter> requests;

    RequestMetrics(MeterRegistry meters) {
        this.requests = Counter.builder("rest_client_requests")
                .description("Requests to the API server by status, method and host.")
                .withRegistry(meters);
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        count(Integer.toString(response.code()), request);
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        count("<error>", request);
    }

    private void count(String code, HttpRequest request) {
        URI uri = request.uri();
        String host = uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
        requests.withTags("code", code, "host", host, "method", request.method())
                .increment();
    }
}
