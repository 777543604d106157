package io.busbar.runtime.telemetry;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.EnumSet;
import java.util.Set;

/** Makes the registry of metrics, and a Vert.x that reports to it. Any thread. */
public final class Telemetry {

    /**
     * Those that HTTP itself defines, and PATCH; any other that a client makes up would be a time series of its own.
     */
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE");

    private static final String OTHER_METHOD = "OTHER";

    private Telemetry() {}

    /** A registry with the JVM's own metrics. */
    public static PrometheusMeterRegistry registry() {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        meters.config()
                .meterFilter(MeterFilter.replaceTagValues(
                        Label.HTTP_METHOD.toString(), method -> METHODS.contains(method) ? method : OTHER_METHOD));
        new ClassLoaderMetrics().bindTo(meters);
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        new FileDescriptorMetrics().bindTo(meters);
        new UptimeMetrics().bindTo(meters);
        return meters;
    }

    /**
     * A Vert.x whose HTTP servers, event bus and pools are measured; paths and addresses are no labels, as they have no
     * bound.
     */
    public static Vertx vertx(PrometheusMeterRegistry meters) {
        MicrometerMetricsOptions metrics = new MicrometerMetricsOptions()
                .setEnabled(true)
                // It would keep an entry for each method that a client makes up.
                .setMeterCacheEnabled(false)
                .setLabels(EnumSet.of(
                        Label.HTTP_METHOD, Label.HTTP_CODE, Label.EB_SIDE, Label.POOL_TYPE, Label.POOL_NAME));
        return Vertx.builder()
                .with(new VertxOptions().setMetricsOptions(metrics))
                .withMetrics(new MicrometerMetricsFactory(meters))
                .build();
    }
}
