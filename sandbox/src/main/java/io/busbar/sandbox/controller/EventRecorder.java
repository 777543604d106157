package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what a controller did as Events, for {@code kubectl describe}: what happens again is counted, and of too much
 * only a part is told, as {@link EventCorrelator} says. An Event that the cluster refuses is dropped: nothing else
 * waits for it.
 *
 * <p>One context.
 */
public final class EventRecorder {

    private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

    private final ObjectStore store;
    private final ClusterClock clock;
    private final String component;
    private final EventCorrelator correlator = new EventCorrelator();
    private long recorded;

    /** @param component how the controller calls itself in its Events; not always the name that it writes under */
    public EventRecorder(ControllerContext context, String component) {
        this(context.store(), context.clock(), component);
    }

    public EventRecorder(ObjectStore store, ClusterClock clock, String component) {
        this.store = store;
        this.clock = clock;
        this.component = component;
    }

    public void normal(Kind kind, ObjectNode object, String reason, String message) {
        record("Normal", kind, object, reason, message);
    }

    public void warning(Kind kind, ObjectNode object, String reason, String message) {
        record("Warning", kind, object, reason, message);
    }

    private void record(String type, Kind kind, ObjectNode object, String reason, String message) {
        Instant now = clock.instant();
        Metadata metadata = Metadata.of(object);
        correlator
                .correlate(metadata.uid(), type, reason, message, now)
                .ifPresent(event -> write(event, kind, metadata, type, reason, now)
                        .onFailure(e -> log.atDebug()
                                .setCause(e)
                                .addKeyValue("component", component)
                                .addKeyValue("reason", reason)
                                .log("an Event was not recorded")));
    }

    private Future<ObjectNode> write(
            EventCorrelator.Correlated event, Kind kind, Metadata metadata, String type, String reason, Instant now) {
        String name = event.isFirst() ? event.named(metadata.name() + "." + suffix(now)) : event.name();
        ObjectKey key = ObjectKey.of(namespace(metadata), name);
        if (!event.isFirst() && store.get(Kind.EVENT.resource(), key) != null) {
            return store.update(Kind.EVENT.resource(), key, before -> {
                if (before != null) {
                    before.put("count", event.count())
                            .put("lastTimestamp", Metadata.time(now))
                            .put("message", event.message());
                }
                return before;
            });
        }
        return store.create(Kind.EVENT.resource(), object(event, key, kind, metadata, type, reason, now));
    }

    private ObjectNode object(
            EventCorrelator.Correlated event,
            ObjectKey key,
            Kind kind,
            Metadata metadata,
            String type,
            String reason,
            Instant now) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", Kind.EVENT.name()).put("apiVersion", Kind.EVENT.apiVersion());
        object.putObject("metadata").put("name", key.name()).put("namespace", key.namespace());
        ObjectNode involved = object.putObject("involvedObject");
        involved.put("kind", kind.name());
        if (!metadata.namespace().isEmpty()) {
            involved.put("namespace", metadata.namespace());
        }
        involved.put("name", metadata.name())
                .put("uid", metadata.uid())
                .put("apiVersion", kind.apiVersion())
                .put("resourceVersion", metadata.resourceVersion());
        object.put("reason", reason).put("message", event.message());
        object.putObject("source").put("component", component);
        object.put("firstTimestamp", Metadata.time(now)).put("lastTimestamp", Metadata.time(now));
        object.put("count", event.count()).put("type", type);
        object.putNull("eventTime");
        return object.put("reportingComponent", component).put("reportingInstance", "");
    }

    /** Those of what is in no namespace are in the default one. */
    private static String namespace(Metadata metadata) {
        return metadata.namespace().isEmpty() ? "default" : metadata.namespace();
    }

    /** The time, and a little more where a clock stands still. */
    private String suffix(Instant now) {
        long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        return Long.toHexString(nanos + Math.floorMod(component.hashCode(), 997) + 997 * recorded++);
    }
}
