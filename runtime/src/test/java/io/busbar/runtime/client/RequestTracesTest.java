package io.busbar.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.trace.Tracing;
import io.busbar.common.traffic.RequestGate;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestTracesTest {

    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private final Tracing tracing = Tracing.to(OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exported))
                    .build())
            .build());
    private final KubernetesClient client = ApiClients.measured(
            new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:1")
                    .build(),
            new SimpleMeterRegistry(),
            tracing,
            RequestGate.unlimited(),
            List.of());

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void an_attempt_that_finds_no_server_is_a_child_of_who_asked() {
        Span reconcile = tracing.span("reconcile", "").startSpan();
        Context.current().with(reconcile).wrap(this::ask).run();

        assertThat(exported.getFinishedSpanItems()).hasSize(1).allSatisfy(span -> {
            assertThat(span.getName()).isEqualTo("get pods");
            assertThat(span.getParentSpanId())
                    .isEqualTo(reconcile.getSpanContext().getSpanId());
            assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            assertThat(span.getEvents()).extracting(EventData::getName).containsExactly("exception");
        });
    }

    @Test
    void what_nobody_traces_is_no_trace() {
        ask();

        assertThat(exported.getFinishedSpanItems()).isEmpty();
    }

    private void ask() {
        assertThatThrownBy(() -> client.pods().inNamespace("ns").withName("a").get())
                .isInstanceOf(KubernetesClientException.class);
    }
}
