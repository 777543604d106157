package io.busbar.reconciler.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.Reason;
import io.busbar.common.bus.ReconcileOutcome.Kind;
import io.busbar.common.bus.ReconcileRequest;
import io.busbar.common.trace.Tracing;
import io.busbar.reconciler.queue.WorkQueue.Taken;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueTraceTest {

    private static final ObjectKey KEY = ObjectKey.of("ns", "a");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final QueueTrace trace = new QueueTrace(
            Tracing.to(OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(SimpleSpanProcessor.create(exported))
                            .build())
                    .build()),
            "c",
            () -> now);

    @Test
    void a_wait_lasts_from_the_first_request_to_the_handing_out() {
        request(event(1));
        pass(SECOND.multipliedBy(2));
        SpanContext parent = Tracing.context(taken(1));

        SpanData wait = last();
        assertThat(wait.getName()).isEqualTo("queue c");
        assertThat(waited(wait)).isEqualTo(SECOND.multipliedBy(2));
        assertThat(wait.getParentSpanContext()).isEqualTo(Tracing.context(event(1)));
        assertThat(wait.getSpanId()).isEqualTo(parent.getSpanId());
        assertThat(wait.getAttributes().get(AttributeKey.stringKey("name"))).isEqualTo("a");
        assertThat(wait.getAttributes().get(AttributeKey.stringKey("reason"))).isEqualTo("change");
    }

    @Test
    void requests_that_fold_into_one_key_are_links() {
        request(event(1));
        request(event(2));
        request("");
        request(event(3));
        taken(1);

        assertThat(last().getParentSpanContext()).isEqualTo(Tracing.context(event(1)));
        assertThat(last().getLinks())
                .extracting(LinkData::getSpanContext)
                .containsExactly(Tracing.context(event(2)), Tracing.context(event(3)));
    }

    @Test
    void what_comes_while_a_key_is_out_counts_for_its_next_time() {
        request(event(1));
        taken(1);
        request(event(2));
        trace.settled(KEY, Kind.AWAIT_CHANGE, Duration.ZERO);
        taken(1);

        assertThat(last().getParentSpanContext()).isEqualTo(Tracing.context(event(2)));
        assertThat(last().getLinks()).isEmpty();
    }

    @Test
    void a_retry_stays_in_the_trace_and_its_backoff_is_no_wait() {
        request(event(1));
        taken(1);
        trace.settled(KEY, Kind.FAILED, SECOND.multipliedBy(5));
        pass(SECOND.multipliedBy(7));
        taken(2);

        assertThat(last().getParentSpanContext()).isEqualTo(Tracing.context(event(1)));
        assertThat(last().getAttributes().get(AttributeKey.longKey("attempt"))).isEqualTo(2);
        assertThat(waited(last())).isEqualTo(SECOND.multipliedBy(2));
    }

    @Test
    void a_retry_of_what_began_a_trace_is_its_child() {
        request("");
        String first = taken(1);
        trace.settled(KEY, Kind.FAILED, Duration.ZERO);
        taken(2);

        assertThat(last().getParentSpanContext().getSpanId())
                .isEqualTo(Tracing.context(first).getSpanId());
    }

    @Test
    void what_was_asked_for_begins_a_trace_that_is_linked_to_the_one_before() {
        request(event(1));
        String first = taken(1);
        trace.settled(KEY, Kind.REQUEUE_AFTER, Duration.ofHours(1));
        pass(Duration.ofHours(1));
        taken(1);

        assertThat(last().getParentSpanContext().isValid()).isFalse();
        assertThat(last().getTraceId()).isNotEqualTo(Tracing.context(first).getTraceId());
        assertThat(last().getLinks())
                .extracting(link -> link.getSpanContext().getSpanId())
                .containsExactly(Tracing.context(first).getSpanId());
        assertThat(waited(last())).isZero();
    }

    @Test
    void a_change_that_comes_before_a_retry_ends_its_backoff() {
        request(event(1));
        taken(1);
        trace.settled(KEY, Kind.FAILED, Duration.ofHours(1));
        pass(SECOND);
        request(event(2));
        pass(SECOND);
        taken(2);

        assertThat(waited(last())).isEqualTo(SECOND);
        assertThat(last().getLinks()).extracting(LinkData::getSpanContext).containsExactly(Tracing.context(event(2)));
    }

    @Test
    void nothing_is_passed_on_while_tracing_is_off() {
        QueueTrace off = new QueueTrace(Tracing.off(), "c", () -> {
            throw new AssertionError("not to be asked");
        });
        off.requested(new ReconcileRequest(KEY, Reason.CHANGE));

        assertThat(off.taken(new Taken(KEY, Reason.CHANGE, 1, 0))).isEmpty();
        off.settled(KEY, Kind.FAILED, SECOND);
    }

    private void request(String traceparent) {
        trace.requested(new ReconcileRequest(KEY, Reason.CHANGE, traceparent, Cause.of(Cause.How.UNKNOWN, KEY)));
    }

    private String taken(int attempt) {
        return trace.taken(new Taken(KEY, Reason.CHANGE, attempt, 0));
    }

    private void pass(Duration time) {
        now = now.plus(time);
    }

    private SpanData last() {
        List<SpanData> all = exported.getFinishedSpanItems();
        return all.get(all.size() - 1);
    }

    private static Duration waited(SpanData span) {
        return Duration.ofNanos(span.getEndEpochNanos() - span.getStartEpochNanos());
    }

    private static String event(int number) {
        return "00-0af7651916cd43dd8448eb211c80319" + number + "-b7ad6b7169203331-01";
    }
}
