package io.busbar.common.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TracingTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @ParameterizedTest
    @ValueSource(strings = {"01", "00"})
    void a_span_is_passed_on_as_text_sampled_or_not(String flags) {
        String traceparent = "00-" + TRACE + "-b7ad6b7169203331-" + flags;
        SpanContext context = Tracing.context(traceparent);

        assertThat(context.getTraceId()).isEqualTo(TRACE);
        assertThat(context.isRemote()).isTrue();
        assertThat(context.isSampled()).isEqualTo(flags.equals("01"));
        assertThat(Tracing.traceparent(Span.wrap(context))).isEqualTo(traceparent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "00-00000000000000000000000000000000-b7ad6b7169203331-01"})
    void what_is_no_traceparent_stands_for_no_span(String text) {
        assertThat(Tracing.context(text).isValid()).isFalse();
    }

    @Test
    void a_span_has_the_parent_that_the_text_stands_for() {
        String traceparent = "00-" + TRACE + "-b7ad6b7169203331-01";
        Span span = Tracing.to(OpenTelemetry.noop()).span("child", traceparent).startSpan();

        assertThat(span.getSpanContext().getTraceId()).isEqualTo(TRACE);
    }

    @Test
    void begins_nothing_while_it_is_off() {
        assertThat(Tracing.off().isOn()).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(() -> Tracing.off().span("lost", ""))
                .withMessageContaining("lost");
    }
}
