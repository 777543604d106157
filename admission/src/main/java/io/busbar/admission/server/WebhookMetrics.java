package io.busbar.admission.server;

import io.busbar.admission.conversion.Conversions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/**
 * What is measured of one webhook, under controller-runtime's names: controller_runtime_webhook_requests_total,
 * …_latency_seconds, …_requests_in_flight and …_panics_total. Panics of converters have a name of their own, as there.
 *
 * <p>Any thread.
 */
final class WebhookMetrics {

    private static final Duration[] BUCKETS = LongStream.of(
                    500,
                    1_000,
                    2_000,
                    3_000,
                    4_000,
                    5_000,
                    6_000,
                    8_000,
                    10_000,
                    15_000,
                    25_000,
                    50_000,
                    100_000,
                    250_000,
                    500_000,
                    1_000_000,
                    2_500_000,
                    5_000_000,
                    10_000_000)
            .mapToObj(micros -> Duration.ofNanos(micros * 1_000))
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final String webhook;
    private final Timer latency;
    private final LongAdder inFlight = new LongAdder();
    private final Counter panics;
    private final Map<Integer, Counter> requests = new ConcurrentHashMap<>();

    WebhookMetrics(MeterRegistry registry, String webhook) {
        this.registry = registry;
        this.webhook = webhook;
        this.latency = Timer.builder("controller.runtime.webhook.latency")
                .description("How long a webhook takes to answer, from the request's head to the answer.")
                .tag("webhook", webhook)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        Gauge.builder("controller.runtime.webhook.requests.in.flight", inFlight, LongAdder::sum)
                .description("Requests that are being received or answered.")
                .tag("webhook", webhook)
                .strongReference(true)
                .register(registry);
        boolean converts = webhook.equals(Conversions.PATH);
        this.panics = Counter.builder("controller.runtime." + (converts ? "conversion." : "") + "webhook.panics")
                .description(converts ? "Conversions that failed by a bug." : "Reviews that failed by a bug.")
                .tag("webhook", webhook)
                .register(registry);
        count(200);
    }

    void begun() {
        inFlight.increment();
    }

    void answered(int code, Duration took) {
        inFlight.decrement();
        latency.record(took);
        count(code).increment();
    }

    void cut() {
        inFlight.decrement();
    }

    void panicked() {
        panics.increment();
    }

    private Counter count(int code) {
        return requests.computeIfAbsent(code, this::counter);
    }

    private Counter counter(int code) {
        return Counter.builder("controller.runtime.webhook.requests")
                .description("Requests by HTTP status.")
                .tag("webhook", webhook)
                .tag("code", Integer.toString(code))
                .register(registry);
    }
}
