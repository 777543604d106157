package io.busbar.admission.server;

import static io.busbar.admission.server.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.conversion.Conversions;
import io.busbar.common.trace.Tracing;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class ReviewTraceTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private final AtomicReference<String> logged = new AtomicReference<>();

    @Test
    void a_review_is_the_child_of_the_api_servers_request() {
        review("/allow", "00-" + TRACE + "-b7ad6b7169203331-01");

        assertThat(exported.getFinishedSpanItems()).singleElement().satisfies(span -> {
            assertThat(span.getName()).isEqualTo("POST /allow");
            assertThat(span.getKind()).isEqualTo(SpanKind.SERVER);
            assertThat(span.getTraceId()).isEqualTo(TRACE);
            assertThat(span.getParentSpanId()).isEqualTo("b7ad6b7169203331");
            assertThat(text(span, "uid")).isEqualTo("0df28fbd-5f5f-11e8-bc74-36e6bb280816");
            assertThat(text(span, "operation")).isEqualTo("create");
            assertThat(text(span, "resource")).isEqualTo("pods");
            assertThat(span.getAttributes().get(AttributeKey.booleanKey("allowed")))
                    .isTrue();
            assertThat(code(span)).isEqualTo(200);
        });
        assertThat(logged).hasValue(TRACE);
    }

    @Test
    void one_that_nobody_traces_begins_a_trace() {
        review("/allow", "");

        assertThat(exported.getFinishedSpanItems()).singleElement().satisfies(span -> {
            assertThat(span.getParentSpanContext().isValid()).isFalse();
            assertThat(logged).hasValue(span.getTraceId());
        });
    }

    @Test
    void what_the_api_server_does_not_sample_is_not_traced_here_either() {
        review("/allow", "00-" + TRACE + "-b7ad6b7169203331-00");

        assertThat(exported.getFinishedSpanItems()).isEmpty();
    }

    @Test
    void a_rule_that_fails_is_recorded_and_a_request_that_is_no_review_too() {
        review("/fail", "");
        review("/nowhere", "");

        List<SpanData> spans = exported.getFinishedSpanItems();
        assertThat(spans).hasSize(2);
        assertThat(spans.get(0).getEvents())
                .singleElement()
                .satisfies(event -> assertThat(event.getAttributes().get(AttributeKey.stringKey("exception.message")))
                        .isEqualTo("a bug"));
        assertThat(spans.get(0).getAttributes().get(AttributeKey.booleanKey("allowed")))
                .isFalse();
        assertThat(code(spans.get(1))).isEqualTo(404);
        assertThat(spans.get(1).getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void a_rule_that_decides_nothing_is_recorded_as_the_refusal_that_it_becomes() {
        review("/undecided", "");

        assertThat(exported.getFinishedSpanItems())
                .singleElement()
                .satisfies(span -> assertThat(span.getAttributes().get(AttributeKey.booleanKey("allowed")))
                        .isFalse());
    }

    private void review(String path, String traceparent) {
        Tracing tracing = Tracing.to(OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .setSampler(Sampler.parentBased(Sampler.alwaysOn()))
                        .addSpanProcessor(SimpleSpanProcessor.create(exported))
                        .build())
                .build());
        Map<String, AdmissionRule> rules = Map.of(
                "/allow",
                request -> {
                    logged.set(MDC.get("trace_id"));
                    return AdmissionDecision.allowed();
                },
                "/fail",
                request -> {
                    throw new IllegalStateException("a bug");
                },
                "/undecided",
                request -> null);
        try (TestServer server = new TestServer(
                AdmissionServerOptions.defaults(),
                rules,
                Conversions.none(),
                new EphemeralCertificates(List.of("127.0.0.1")),
                tracing)) {
            await(server.server.selfCheck());
            await(server.client()
                    .request(server.to(path)
                            .setMethod(HttpMethod.POST)
                            .putHeader("content-type", "application/json")
                            .putHeader("traceparent", traceparent))
                    .compose(request -> request.send(Reviews.podCreate()).compose(TestServer::reply)));
        }
    }

    private static String text(SpanData span, String key) {
        return span.getAttributes().get(AttributeKey.stringKey(key));
    }

    private static long code(SpanData span) {
        return span.getAttributes().get(AttributeKey.longKey("http.response.status_code"));
    }
}
