package io.busbar.runtime.telemetry;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.common.trace.Tracing;
import io.busbar.runtime.options.TracingOptions;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sends spans to a collector, in batches and on a thread of its own. Of it, and of what it is made of, nothing is
 * loaded unless traces are wanted.
 *
 * <p>Any thread.
 */
public final class TraceExport implements AutoCloseable {

    private static final Duration LAST_BATCH = Duration.ofSeconds(5);

    private static final String PROTOCOL = "http/protobuf";

    /** What holds where the environment says nothing else. */
    private static final Map<String, String> DEFAULTS =
            Map.of("otel.service.name", "busbar", "otel.exporter.otlp.protocol", PROTOCOL);

    private final OpenTelemetrySdk sdk;

    private TraceExport(OpenTelemetrySdk sdk) {
        this.sdk = sdk;
    }

    /**
     * @param instance which of several replicas this is, such as the name of its Pod
     * @throws InvalidConfigurationException where the environment wants another protocol
     */
    public static TraceExport start(TracingOptions options, String instance) {
        Resource replica = Resource.builder()
                .put(AttributeKey.stringKey("service.instance.id"), instance)
                .build();
        return new TraceExport(AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .addPropertiesSupplier(() -> DEFAULTS)
                .addPropertiesCustomizer(environment -> chosen(options, environment))
                .addResourceCustomizer((given, environment) -> replica.merge(given))
                .build()
                .getOpenTelemetrySdk());
    }

    /** What the environment has no say in. */
    private static Map<String, String> chosen(TracingOptions options, ConfigProperties environment) {
        String wanted = environment.getString(
                "otel.exporter.otlp.traces.protocol", environment.getString("otel.exporter.otlp.protocol", PROTOCOL));
        if (!wanted.equals(PROTOCOL)) {
            throw new InvalidConfigurationException(
                    List.of(new ConfigurationProblem("OTEL_EXPORTER_OTLP_PROTOCOL", wanted, PROTOCOL)));
        }
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
