package io.busbar.sandbox.kinds.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Claims;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.EventRecorder;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.controller.revision.History;
import io.busbar.sandbox.controller.revision.RevisionHistory;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes each StatefulSet the next steps of its plan.
 *
 * <p>One context.
 */
public final class StatefulSets {

    private final ControllerContext context;
    private final Claims claims;
    private final Writes writes;
    private final RevisionHistory revisions;
    private final SetEvents events;

    private StatefulSets(ControllerContext context) {
        this.context = context;
        this.claims =
                new Claims(context, Kind.STATEFUL_SET, Kind.POD, context.owned().pods());
        this.writes = Writes.of(context);
        this.events = new SetEvents(new EventRecorder(context, context.name()));
        this.revisions = new RevisionHistory(
                context, Kind.STATEFUL_SET, StatefulSets::selector, "controller.kubernetes.io/hash");
    }

    public static ControllerLoop start(ControllerContext context) {
        StatefulSets sets = new StatefulSets(context);
        return new ControllerLoop(context, Kind.STATEFUL_SET, sets::sync).adopts(Kind.POD, StatefulSets::selector);
    }

    private static LabelSelector selector(ObjectNode set) {
        return LabelSelector.of(set.path("spec").path("selector"));
    }

    private Future<@Nullable Duration> sync(ObjectNode set) {
        Instant begun = context.clock().instant();
        return claims.settle(set, selector(set))
                .compose(pods -> revisions.settle(set))
                .compose(history -> act(set, history)
                        .compose(done -> writeStatus(set, history))
                        .compose(written -> revisions.forget(set, history, living(written))))
                .map(done -> Pods.untilAvailable(
                        pods(set),
                        Duration.ofSeconds(
                                set.path("spec").path("minReadySeconds").asLong()),
                        begun));
    }

    private Future<Void> act(ObjectNode set, History history) {
        if (Metadata.of(set).deleting()) {
            return Future.succeededFuture();
        }
        String update = Metadata.of(history.update()).name();
        List<Future<?>> done = new ArrayList<>();
        for (Step step : new Plan(set, pods(set), update, context.clock().instant()).steps()) {
            if (step instanceof Step.Make make) {
                done.add(make(set, history, make));
            } else if (step instanceof Step.Remove remove) {
                done.add(remove(set, remove.pod()));
            }
        }
        for (ObjectNode pod : pods(set)) {
            done.add(retention(set).whileItLives(new Identity(set, Identity.ordinal(set, pod))));
        }
        return Future.join(done).mapEmpty();
    }

    private Future<?> make(ObjectNode set, History history, Step.Make make) {
        ObjectNode revision = make.updated()
                ? history.update()
                : history.named(set.path("status").path("currentRevision").asText());
        Identity identity = new Identity(History.restored(set, revision), make.ordinal());
        List<Future<?>> claimed = new ArrayList<>();
        for (ObjectNode claim : identity.claims()) {
            if (context.store().get(Kind.CLAIM.resource(), Metadata.of(claim).key()) == null) {
                claimed.add(context.store()
                        .create(Kind.CLAIM.resource(), claim)
                        .onComplete(made -> events.claimed(set, claim, identity, made)));
            }
        }
        return Future.all(claimed)
                .compose(made -> context.store()
                        .create(
                                Kind.POD.resource(),
                                identity.pod(Metadata.of(revision).name()))
                        .onComplete(pod -> events.done("Create", set, identity.podName(), pod)));
    }

    private Future<?> remove(ObjectNode set, ObjectNode pod) {
        if (Pods.isEnded(pod)) {
            events.recreating(set, pod);
        }
        return retention(set)
                .beforeScaledAway(new Identity(set, Identity.ordinal(set, pod)), pod)
                .compose(done -> writes.delete(Kind.POD, pod, ""))
                .onComplete(done -> events.done("Delete", set, Metadata.of(pod).name(), done));
    }

    private ClaimRetention retention(ObjectNode set) {
        return new ClaimRetention(context, set);
    }

    private Future<ObjectNode> writeStatus(ObjectNode set, History history) {
        return writes.updateStatus(
                Kind.STATEFUL_SET,
                set,
                status -> new StatefulStatus(set, history, context.clock().instant()).fill(status, pods(set)));
    }

    private Set<String> living(ObjectNode set) {
        Set<String> living = new HashSet<>();
        living.add(set.path("status").path("currentRevision").asText());
        living.add(set.path("status").path("updateRevision").asText());
        pods(set).forEach(pod -> living.add(Identity.revision(pod)));
        return living;
    }

    private List<ObjectNode> pods(ObjectNode set) {
        return context.owned().pods().of(Metadata.of(set).uid()).stream()
                .filter(pod -> Identity.ordinal(set, pod) >= 0)
                .toList();
    }
}
