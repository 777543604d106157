package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import java.time.Instant;
import java.time.format.DateTimeFormatterBuilder;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler's Events, in the newer form: one time in microseconds, no counts. One that the cluster refuses is
 * dropped.
 *
 * <p>One context.
 */
final class SchedulerEvents {

    private static final Logger log = LoggerFactory.getLogger(SchedulerEvents.class);
    private static final GroupResource EVENTS = GroupResource.core("events");
    private static final String SCHEDULER = "default-scheduler";

    private final ObjectStore store;
    private final ClusterClock clock;
    private long recorded;

    SchedulerEvents(ObjectStore store, ClusterClock clock) {
        this.store = store;
        this.clock = clock;
    }

    void scheduled(ObjectNode pod, String node) {
        Metadata metadata = Metadata.of(pod);
        String message = "Successfully assigned " + metadata.namespace() + "/" + metadata.name() + " to " + node;
        record(pod, "Normal", "Scheduled", "Binding", message);
    }

    void failed(ObjectNode pod, String why) {
        record(pod, "Warning", "FailedScheduling", "Scheduling", why);
    }

    private void record(ObjectNode pod, String type, String reason, String action, String message) {
        Instant now = clock.instant();
        Metadata metadata = Metadata.of(pod);
        long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() + recorded++;
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("kind", "Event").put("apiVersion", "v1");
        event.putObject("metadata")
                .put("name", metadata.name() + "." + Long.toHexString(nanos))
                .put("namespace", metadata.namespace());
        event.putObject("involvedObject")
                .put("kind", "Pod")
                .put("namespace", metadata.namespace())
                .put("name", metadata.name())
                .put("uid", metadata.uid())
                .put("apiVersion", "v1")
                .put("resourceVersion", metadata.resourceVersion());
        event.put("reason", reason).put("message", message);
        event.putObject("source");
        event.putNull("firstTimestamp").putNull("lastTimestamp");
        event.put("type", type).put("eventTime", micros(now)).put("action", action);
        event.put("reportingComponent", SCHEDULER).put("reportingInstance", SCHEDULER + "-sandbox");
        store.create(EVENTS, event)
                .onFailure(e ->
                        log.atDebug().setCause(e).addKeyValue("reason", reason).log("an Event was not recorded"));
    }

    private static String micros(Instant now) {
        return new DateTimeFormatterBuilder().appendInstant(6).toFormatter().format(now);
    }
}
