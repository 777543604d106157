package io.busbar.runtime.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Counts a client's requests as client-go does, in rest_client_requests_total: by method, host, and status, which is
 * {@code <error>} where there was no answer. So are those that were sent again, in rest_client_request_retries_total,
 * and how long others waited, in rest_client_rate_limiter_duration_seconds.
 *
 * <p>Any thread.
 */
final class RequestMetrics implements Interceptor {

    /** Source: client-go. */
    private static final Duration[] WAITS = Stream.of(
                    5, 25, 100, 250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterProvider<Counter> requests;
    private final MeterProvider<Counter> repeats;
    private final MeterProvider<Timer> waits;

    RequestMetrics(MeterRegistry meters) {
        this.requests = Counter.builder("rest_client_requests")
                .description("Requests to the API server by status, method and host.")
                .withRegistry(meters);
        this.repeats = Counter.builder("rest_client_request_retries")
                .description("Requests that were sent again, by the status that they got first, method and host.")
                .withRegistry(meters);
        this.waits = Timer.builder("rest_client_rate_limiter_duration")
                .description("How long requests waited for their turn that had to, by method and host.")
                .serviceLevelObjectives(WAITS)
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
        requests.withTags("code", code, "host", host(request), "method", request.method())
                .increment();
    }

    /**
     * A request is about to be sent again.
     *
     * @param code the status that it got, or {@code <error>}
     */
    void repeated(HttpRequest request, String code) {
        repeats.withTags("code", code, "host", host(request), "verb", request.method())
                .increment();
    }

    /** A request was held back for so long before it was first sent. */
    void waited(HttpRequest request, Duration time) {
        waits.withTags("host", host(request), "verb", request.method()).record(time);
    }

    private static String host(HttpRequest request) {
        URI uri = request.uri();
        return uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    }
}
