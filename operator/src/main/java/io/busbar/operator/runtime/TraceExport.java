package io.busbar.operator.runtime;

import io.busbar.common.trace.Tracing;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Sends spans to a collector, in batches and on a thread of its own. Of it, and of what it is made of, nothing is loaded unless traces
 * are wanted.
 *
 * <p>Any thread.
 */
public final class TraceExport implements AutoCloseable {

    private static final Duration LAST_BATCH = Duration.ofSeconds(5);

    /** What holds where the environment says nothing else. */
    private static final Map<String, String> DEFAULTS =
            Map.of("otel.service.name", "busbar", "otel.exporter.otlp.protocol", "http/protobuf");

    private final OpenTelemetrySdk sdk;

    private TraceExport(OpenTelemetrySdk sdk) {
        this.sdk = sdk;
    }

    /**
     * @param instance which of several replicas this is, such as the name of its Pod
     * @throws RuntimeException with what of the environment's OTEL_… can't be
     */
    public static TraceExport start(TracingOptions options, String instance) {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        Resource replica = Resource.builder()
                .put(AttributeKey.stringKey("service.instance.id"), instance)
                .build();
        return new TraceExport(AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .addPropertiesSupplier(() -> DEFAULTS)
                .addPropertiesCustomizer(environment -> chosen(options))
                .addResourceCustomizer((given, environment) -> replica.merge(given))
                .build()
                .getOpenTelemetrySdk());
    }

    /** What the environment has no say in. */
    private static Map<String, String> chosen(TracingOptions options) {
        Map<String, String> chosen = new HashMap<>();
        chosen.put("otel.metrics.exporter", "none");
        chosen.put("otel.logs.exporter", "none");
        options.endpoint()
                .ifPresent(collector -> chosen.put(
                        "otel.exporter.otlp.traces.endpoint",
                        collector.toString().replaceFirst("/$", "") + "/v1/traces"));
        options.samplingRatio().ifPresent(ratio -> {
            chosen.put("otel.traces.sampler", "parentbased_traceidratio");
            chosen.put("otel.traces.sampler.arg", Double.toString(ratio));
        });
        return chosen;
    }

    public Tracing tracing() {
        return Tracing.to(sdk);
    }

    /** What has not been sent yet is, unless that takes more than five seconds. */
    @Override
    public void close() {
        sdk.shutdown().join(LAST_BATCH.toMillis(), TimeUnit.MILLISECONDS);
    }
}
