package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.loop.KeyedLoop;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives each Pod a node, on the least loaded one that fits; a Pod that fits nowhere is told so and tried again when
 * nodes change.
 *
 * <p>Looks after Pods of the scheduler {@code default-scheduler} only. One context: the API server's own, on which it
 * is started.
 */
public final class SimulatedScheduler {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource NODES = GroupResource.core("nodes");

    /** Binds a Pod to a node, as the binding subresource does: sets its node and the condition PodScheduled. */
    @FunctionalInterface
    public interface Binder {

        Future<Void> bind(ObjectKey pod, String uid, String node);
    }

    private final ObjectStore store;
    private final Binder binder;
    private final ClusterClock clock;
    private final SchedulerEvents events;
    private final KeyedLoop<ObjectKey> loop;
    private final List<Runnable> watches = new ArrayList<>();
    /** Node of each Pod that takes up room there. */
    private final Map<ObjectKey, String> placed = new HashMap<>();

    private final Map<String, Integer> load = new HashMap<>();

    public SimulatedScheduler(Vertx vertx, ObjectStore store, Binder binder, ClusterClock clock) {
        this.store = store;
        this.binder = binder;
        this.clock = clock;
        this.events = new SchedulerEvents(store, clock);
        this.loop = new KeyedLoop<>(vertx, clock, this::schedule);
    }

    public void start() {
        watches.add(store.watch(PODS, this::podChanged));
        watches.add(store.watch(
                NODES,
                event -> store.list(PODS).stream()
                        .filter(SimulatedScheduler::waits)
                        .forEach(pod -> loop.now(Metadata.of(pod).key()))));
    }

    /** Nothing is begun any more; what is under way ends. */
    public void stop() {
        watches.forEach(Runnable::run);
        loop.stop();
    }

    private void podChanged(StoreEvent event) {
        boolean gone = event.type() == StoreEvent.Type.DELETED;
        place(
                event.key(),
                gone ? "" : event.object().path("spec").path("nodeName").asText());
        if (!gone && waits(event.object())) {
            loop.now(event.key());
        }
    }

    private void place(ObjectKey pod, String node) {
        String before = node.isEmpty() ? placed.remove(pod) : placed.put(pod, node);
        if (before != null) {
            load.merge(before, -1, Integer::sum);
        }
        if (!node.isEmpty()) {
            load.merge(node, 1, Integer::sum);
        }
    }

    private static boolean waits(ObjectNode pod) {
        return pod.path("spec").path("nodeName").asText().isEmpty()
                && !pod.path("metadata").hasNonNull("deletionTimestamp")
                && pod.path("spec")
                        .path("schedulerName")
                        .asText("default-scheduler")
                        .equals("default-scheduler");
    }

    private Future<@Nullable Duration> schedule(ObjectKey key) {
        ObjectNode pod = store.get(PODS, key);
        if (pod == null || !waits(pod)) {
            return Future.succeededFuture();
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            return explain(key, "SchedulingGated", "Scheduling is blocked due to non-empty scheduling gates")
                    .map(written -> null);
        }
        List<ObjectNode> nodes = store.list(NODES);
        Optional<String> node = Placement.choose(pod, nodes, load);
        if (node.isPresent()) {
            place(key, node.get());
            return binder.bind(key, pod.path("metadata").path("uid").asText(), node.get())
                    .<@Nullable Duration>map(bound -> null)
                    .onSuccess(bound -> events.scheduled(pod, node.get()))
                    .onFailure(e -> place(key, ""));
        }
        String why = "0/" + nodes.size() + " nodes are available: " + nodes.size() + " don't fit.";
        return explain(key, "Unschedulable", why)
                .onSuccess(written -> {
                    if (!written.path("status").equals(pod.path("status"))) {
                        events.failed(pod, why);
                    }
                })
                .map(written -> null);
    }

    private Future<ObjectNode> explain(ObjectKey key, String reason, String why) {
        return store.updateStatus(PODS, key, current -> unscheduled(current, reason, why));
    }

    private @Nullable ObjectNode unscheduled(@Nullable ObjectNode pod, String reason, String why) {
        if (pod == null || !waits(pod)) {
            return null;
        }
        PodConditions conditions = new PodConditions(pod.withObject("/status"), Metadata.time(clock.instant()));
        conditions.set("PodScheduled", false, reason);
        conditions.explain("PodScheduled", why);
        return pod;
    }
}
