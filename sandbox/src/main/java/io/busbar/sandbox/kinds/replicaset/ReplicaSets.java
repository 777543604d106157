package io.busbar.sandbox.kinds.replicaset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Claims;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.EventRecorder;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.PodControl;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Templates;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes and deletes Pods until there are as many as are wanted.
 *
 * <p>One context. A ReplicationController is a ReplicaSet whose selector is a plain map of labels.
 */
public final class ReplicaSets {

    /** How many Pods one turn makes or deletes. */
    private static final int BURST = 500;

    private final ControllerContext context;
    private final Kind kind;
    private final Claims claims;
    private final Writes writes;
    private final PodControl pods;

    private ReplicaSets(ControllerContext context, Kind kind) {
        this.context = context;
        this.kind = kind;
        this.claims = new Claims(context, kind, Kind.POD, context.owned().pods());
        this.writes = Writes.of(context);
        this.pods = new PodControl(context, kind, new EventRecorder(context, context.name()));
    }

    /** @param kind ReplicaSet or ReplicationController */
    public static ControllerLoop start(ControllerContext context, Kind kind) {
        ReplicaSets sets = new ReplicaSets(context, kind);
        return new ControllerLoop(context, kind, sets::sync).adopts(Kind.POD, sets::selector);
    }

    private Future<@Nullable Duration> sync(ObjectNode set) {
        Instant begun = context.clock().instant();
        return claims.settle(set, selector(set))
                .compose(pods -> scale(set, Pods.active(pods)))
                .transform(scaled -> writeStatus(set, scaled.failed() ? scaled.cause() : null)
                        .compose(written -> scaled.failed() ? Future.failedFuture(scaled.cause()) : again(set, begun)));
    }

    private Future<@Nullable Duration> again(ObjectNode set, Instant begun) {
        return Future.succeededFuture(Pods.untilAvailable(pods(set), ReplicaSetStatus.minReady(set), begun));
    }

    private Future<Void> scale(ObjectNode set, List<ObjectNode> pods) {
        if (Metadata.of(set).deleting()) {
            return Future.succeededFuture();
        }
        int missing = set.path("spec").path("replicas").asInt() - pods.size();
        if (missing >= 0) {
            return Writes.slowly(Math.min(missing, BURST), () -> create(set));
        }
        List<ObjectNode> unwanted = pods.stream()
                .sorted(DeletionOrder.among(pods))
                .limit(Math.min(-missing, BURST))
                .toList();
        return this.pods.deleteAll(set, unwanted);
    }

    private Future<ObjectNode> create(ObjectNode set) {
        return pods.create(set, Templates.pod(set, kind));
    }

    private Future<ObjectNode> writeStatus(ObjectNode set, @Nullable Throwable failure) {
        return writes.updateStatus(
                kind,
                set,
                status -> new ReplicaSetStatus(set, context.clock().instant()).fill(status, pods(set), failure));
    }

    private List<ObjectNode> pods(ObjectNode set) {
        return context.owned().pods().of(Metadata.of(set).uid());
    }

    private LabelSelector selector(ObjectNode set) {
        JsonNode selector = set.path("spec").path("selector");
        if (kind.equals(Kind.REPLICA_SET)) {
            return LabelSelector.of(selector);
        }
        ObjectNode whole = set.objectNode();
        whole.set("matchLabels", selector);
        return selector.isEmpty() ? LabelSelector.of(null) : LabelSelector.of(whole);
    }
}
