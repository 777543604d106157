package io.busbar.watcher;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.trace.Tracing;
import io.busbar.common.watch.Change;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import org.jspecify.annotations.Nullable;

/**
 * A change as the first span of a trace. It begins when the change first makes a controller work: of others there is
 * none.
 *
 * <p>One context.
 */
final class ChangeTrace {

    private final Tracing tracing;
    private final ResourceType type;
    private final ObjectKey key;
    private final Change<?> change;
    private final String resourceVersion;
    private @Nullable Span span;

    ChangeTrace(Tracing tracing, ResourceType type, ObjectKey key, Change<?> change, String resourceVersion) {
        this.tracing = tracing;
        this.type = type;
        this.key = key;
        this.change = change;
        this.resourceVersion = resourceVersion;
    }

    /** What the work that it makes is to be told. */
    String traceparent() {
        if (span == null) {
            span = tracing.span("watch " + type, "")
                    .setSpanKind(SpanKind.PRODUCER)
                    .setAttribute("resource", type.toString())
                    .setAttribute("namespace", key.namespace())
                    .setAttribute("name", key.name())
                    .setAttribute("change", kind())
                    .setAttribute("resourceVersion", resourceVersion)
                    .startSpan();
        }
        return Tracing.traceparent(span);
    }

    /** All who are to work have been told. */
    void end() {
        if (span != null) {
            span.end();
        }
    }

    private String kind() {
        if (change.initial()) {
            return "listed";
        }
        if (change.isModification()) {
            return "modified";
        }
        return change.after() == null ? "deleted" : "added";
    }
}
