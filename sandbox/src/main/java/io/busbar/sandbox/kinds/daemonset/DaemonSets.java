package io.busbar.sandbox.kinds.daemonset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.controller.Claims;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.EventRecorder;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.PodControl;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.controller.revision.History;
import io.busbar.sandbox.controller.revision.RevisionHistory;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts a Pod on each node that a DaemonSet is meant for, and replaces those of old templates.
 *
 * <p>One context.
 */
public final class DaemonSets {

    private static final int BURST = 250;

    private final ControllerContext context;
    private final Claims claims;
    private final Writes writes;
    private final PodControl control;
    private final RevisionHistory revisions;

    private DaemonSets(ControllerContext context) {
        this.context = context;
        this.claims =
                new Claims(context, Kind.DAEMON_SET, Kind.POD, context.owned().pods());
        this.writes = Writes.of(context);
        this.control = new PodControl(context, Kind.DAEMON_SET, new EventRecorder(context, "daemonset-controller"));
        this.revisions = new RevisionHistory(context, Kind.DAEMON_SET, DaemonSets::selector, DaemonPods.REVISION);
    }

    public static ControllerLoop start(ControllerContext context) {
        DaemonSets sets = new DaemonSets(context);
        return new ControllerLoop(context, Kind.DAEMON_SET, sets::sync)
                .adopts(Kind.POD, DaemonSets::selector)
                .watches(Kind.NODE, sets::nodeChanged);
    }

    private static LabelSelector selector(ObjectNode set) {
        return LabelSelector.of(set.path("spec").path("selector"));
    }

    /** A heartbeat concerns nobody. */
    private List<ObjectKey> nodeChanged(StoreEvent event) {
        ObjectNode before = event.previous();
        boolean same = event.type() == StoreEvent.Type.MODIFIED
                && before != null
                && before.path("spec").equals(event.object().path("spec"))
                && before.path("metadata")
                        .path("labels")
                        .equals(event.object().path("metadata").path("labels"));
        return same
                ? List.of()
                : context.store().list(Kind.DAEMON_SET.resource()).stream()
                        .map(set -> Metadata.of(set).key())
                        .toList();
    }

    private Future<@Nullable Duration> sync(ObjectNode set) {
        Instant begun = context.clock().instant();
        return claims.settle(set, selector(set))
                .compose(pods -> revisions.settle(set))
                .compose(history -> act(set, hash(history))
                        .compose(done -> writeStatus(set, history))
                        .compose(written -> revisions.forget(set, history, living(set, history))))
                .map(done -> Pods.untilAvailable(pods(set), plan(set).minReady(), begun));
    }

    /** Pods of old templates are given up only where none is missing or too many. */
    private Future<Void> act(ObjectNode set, String revision) {
        if (Metadata.of(set).deleting()) {
            return Future.succeededFuture();
        }
        DaemonPlan plan = plan(set);
        Iterator<String> lacking = plan.lacking().iterator();
        Set<ObjectNode> unwanted = new LinkedHashSet<>(plan.superfluous());
        if (!lacking.hasNext()) {
            unwanted.addAll(plan.outdated(revision));
        }
        return control.deleteAll(set, unwanted)
                .compose(done -> Writes.slowly(
                        Math.min(BURST, plan.lacking().size()),
                        () -> control.create(set, DaemonPods.pod(set, lacking.next(), revision))));
    }

    private Future<ObjectNode> writeStatus(ObjectNode set, History history) {
        return writes.updateStatus(
                Kind.DAEMON_SET,
                set,
                status -> new DaemonStatus(set, plan(set), hash(history), history.collisions()).fill(status));
    }

    private DaemonPlan plan(ObjectNode set) {
        return new DaemonPlan(
                set,
                context.store().list(Kind.NODE.resource()),
                pods(set),
                context.clock().instant());
    }

    private static String hash(History history) {
        return Pods.label(history.update(), DaemonPods.REVISION);
    }

    private Set<String> living(ObjectNode set, History history) {
        Set<String> hashes = new HashSet<>();
        pods(set).forEach(pod -> hashes.add(Pods.label(pod, DaemonPods.REVISION)));
        Set<String> living = new HashSet<>();
        living.add(Metadata.of(history.update()).name());
        history.all().stream()
                .filter(revision -> hashes.contains(Pods.label(revision, DaemonPods.REVISION)))
                .forEach(revision -> living.add(Metadata.of(revision).name()));
        return living;
    }

    private List<ObjectNode> pods(ObjectNode set) {
        return context.owned().pods().of(Metadata.of(set).uid());
    }
}
