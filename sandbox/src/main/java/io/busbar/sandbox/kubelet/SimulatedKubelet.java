package io.busbar.sandbox.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.clock.Seconds;
import io.busbar.sandbox.controller.Times;
import io.busbar.sandbox.loop.KeyedLoop;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kubelets of all nodes but those whose Lease in {@code kube-node-lease} somebody else keeps renewing: keeps the
 * status of each Pod that has a node as {@link PodLife} says, and ends deletions.
 *
 * <p>A Pod's status is written only when it changes, one write of a Pod at a time. One context: the API server's own,
 * on which it is started.
 */
public final class SimulatedKubelet {

    private static final Logger log = LoggerFactory.getLogger(SimulatedKubelet.class);
    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource NODES = GroupResource.core("nodes");
    private static final GroupResource LEASES = new GroupResource("coordination.k8s.io", "leases");
    private static final String SOME_NODE = "10.0.0.1";

    private final ObjectStore store;
    private final ClusterClock clock;
    private final KeyedLoop<ObjectKey> loop;
    private final PodAddresses addresses = new PodAddresses();
    private Runnable watch = () -> {};

    public SimulatedKubelet(Vertx vertx, ObjectStore store, ClusterClock clock) {
        this.store = store;
        this.clock = clock;
        this.loop = new KeyedLoop<>(vertx, clock, this::sync);
    }

    public void start() {
        store.list(PODS)
                .forEach(pod -> addresses.seen(pod.path("status").path("podIP").asText()));
        watch = store.watch(PODS, this::podChanged);
    }

    /** Nothing is begun any more; what is under way ends. */
    public void stop() {
        watch.run();
        loop.stop();
    }

    private void podChanged(StoreEvent event) {
        if (event.type() == StoreEvent.Type.DELETED) {
            loop.forget(event.key());
        } else if (!event.object().path("spec").path("nodeName").asText().isEmpty()) {
            loop.now(event.key());
        }
    }

    private Future<@Nullable Duration> sync(ObjectKey key) {
        ObjectNode pod = store.get(PODS, key);
        String name = pod == null ? "" : pod.path("spec").path("nodeName").asText();
        ObjectKey node = name.isEmpty() ? null : ObjectKey.of(name);
        if (pod == null || node == null || store.get(NODES, node) == null) {
            return Future.succeededFuture();
        }
        Optional<Duration> others = leased(node);
        if (others.isPresent()) {
            return Future.succeededFuture(others.get());
        }
        Future<@Nullable Duration> done = Metadata.of(pod).deleting() ? end(key, pod) : live(key, pod);
        return done.recover(e -> {
            if (e instanceof StatusException refused && (refused.code() == 404 || refused.code() == 409)) {
                return Future.succeededFuture();
            }
            log.atWarn()
                    .setCause(e)
                    .addKeyValue("namespace", key.namespace())
                    .addKeyValue("name", key.name())
                    .log("could not write a Pod's status, will retry");
            return Future.failedFuture(e);
        });
    }

    /** How long a node still has a kubelet of its own, unless that renews its Lease. */
    private Optional<Duration> leased(ObjectKey node) {
        ObjectNode lease = store.get(LEASES, ObjectKey.of("kube-node-lease", node.name()));
        if (lease == null) {
            return Optional.empty();
        }
        JsonNode spec = lease.path("spec");
        return Times.read(spec.path("renewTime"))
                .map(renewed -> renewed.plus(Seconds.of(spec.path("leaseDurationSeconds"))))
                .map(until -> Duration.between(clock.instant(), until))
                .filter(left -> left.compareTo(Duration.ZERO) > 0);
    }

    private Future<@Nullable Duration> live(ObjectKey key, ObjectNode pod) {
        PodLife.Step step = step(pod);
        if (step.status().equals(pod.path("status"))) {
            return Future.succeededFuture(step.again().orElse(null));
        }
        String uid = Metadata.of(pod).uid();
        String address = step.status().path("podIP").asText();
        return store.updateStatus(PODS, key, current -> {
                    if (current == null || !Metadata.of(current).uid().equals(uid)) {
                        return null;
                    }
                    PodLife.Step fresh = PodLife.next(current, clock.instant(), hostIp(current), () -> address);
                    current.set("status", fresh.status());
                    return current;
                })
                .map(written -> step.again().orElse(null));
    }

    private PodLife.Step step(ObjectNode pod) {
        return PodLife.next(pod, clock.instant(), hostIp(pod), addresses::next);
    }

    /** A Pod with finalizers is seen to end first, and then waits for them. */
    private Future<@Nullable Duration> end(ObjectKey key, ObjectNode pod) {
        JsonNode metadata = pod.path("metadata");
        boolean finalized = metadata.path("finalizers").isEmpty();
        if (metadata.path("deletionGracePeriodSeconds").asInt() == 0) {
            return finalized ? Future.succeededFuture() : live(key, pod);
        }
        Optional<Duration> linger = linger(pod, metadata);
        if (linger.isPresent()) {
            return Future.succeededFuture(linger.get());
        }
        Future<@Nullable Duration> ended = finalized ? Future.succeededFuture() : live(key, pod);
        return ended.compose(
                again -> store.delete(PODS, key, now(Metadata.of(pod).uid())).map(gone -> again));
    }

    /** How long it lingers on, when asked to: at most its grace period. */
    private Optional<Duration> linger(ObjectNode pod, JsonNode metadata) {
        Duration grace = Seconds.of(metadata.path("deletionGracePeriodSeconds"));
        Duration asked = Steering.of(pod).terminationDelay();
        Instant asOf =
                Instant.parse(metadata.path("deletionTimestamp").asText()).minus(grace);
        Duration left = Duration.between(clock.instant(), asOf.plus(asked.compareTo(grace) < 0 ? asked : grace));
        return asked.isZero() || left.isNegative() || left.isZero() ? Optional.empty() : Optional.of(left);
    }

    private static ObjectNode now(String uid) {
        ObjectNode options = JsonNodeFactory.instance.objectNode().put("gracePeriodSeconds", 0);
        options.putObject("preconditions").put("uid", uid);
        return options;
    }

    private String hostIp(ObjectNode pod) {
        ObjectNode node =
                store.get(NODES, ObjectKey.of(pod.path("spec").path("nodeName").asText()));
        if (node != null) {
            for (JsonNode address : node.path("status").path("addresses")) {
                if (address.path("type").asText().equals("InternalIP")) {
                    return address.path("address").asText();
                }
            }
        }
        return SOME_NODE;
    }
}
