package io.busbar.operator.sidecarset.roll;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.operator.sidecarset.history.RegisteredRevision;
import io.busbar.operator.sidecarset.history.RevisionHistory;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.TerminalException;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts a set's Pods and rolls its images out to them.
 *
 * <p>Guarantees: no request when nothing has changed; one write for each Pod that is brought to a version, and none for
 * a Pod that has it, whatever was crashed or retried in between. The work grows with the set's own Pods only.
 */
public final class SidecarSetReconciler implements Reconciler<SidecarSet> {

    private static final Logger log = LoggerFactory.getLogger(SidecarSetReconciler.class);

    private final RevisionHistory history;
    private final Function<ReconcileContext<?>, PodWrites> writes;
    private final Clock clock;

    public SidecarSetReconciler(RevisionHistory history, Clock clock) {
        this(history, context -> new ClientPodWrites(context.client()), clock);
    }

    SidecarSetReconciler(RevisionHistory history, Function<ReconcileContext<?>, PodWrites> writes, Clock clock) {
        this.history = history;
        this.writes = writes;
        this.clock = clock;
    }

    @Override
    public ReconcileResult reconcile(SidecarSet set, ReconcileContext<SidecarSet> context)
            throws TerminalException, InterruptedException {
        if (set.isMarkedForDeletion() || set.getSpec() == null) {
            return ReconcileResult.awaitChange();
        }
        RegisteredRevision revision = history.register(set, context);
        Target target = target(set, revision, context);
        List<InjectedPod> pods = injectedPods(target, context);
        Progress now = Progress.of(Counts.of(pods), Batch.next(pods, target));
        status(now.refusedBecause(Progress.lastRefusal(set)), set, revision, context);
        if (target.rolls()) {
            Roll roll = new Roll(target, context);
            List<InjectedPod> reset = roll.reset(pods);
            List<InjectedPod> after = roll.upgrade(Batch.next(reset, target).upgrade(), reset);
            Progress then = Progress.of(Counts.of(after), Batch.next(after, target));
            status(then.refusedBecause(roll.firstRefusal()), set, revision, context);
            roll.correctConditions(set, after);
            roll.throwFirstRefusal();
        }
        history.truncate(set, () -> revisionsInUse(pods, target), context);
        return ReconcileResult.awaitChange();
    }

    private void status(
            Progress progress, SidecarSet set, RegisteredRevision revision, ReconcileContext<SidecarSet> context) {
        context.status(progress.counts().in(set, revision, progress.conditions(set, clock.instant())));
    }

    /** A set that slipped past validation is its author's to mend. */
    private Target target(SidecarSet set, RegisteredRevision revision, ReconcileContext<SidecarSet> context)
            throws TerminalException {
        try {
            return Target.of(set, revision.name());
        } catch (IllegalArgumentException invalid) {
            String message = String.valueOf(invalid.getMessage());
            context.events().warning(set, "InvalidSidecarSet", "Reconcile", message);
            context.status(Counts.last(set).in(set, revision, Progress.invalid(set, message, clock.instant())));
            throw new TerminalException("the SidecarSet is not valid: " + message, invalid);
        }
    }

    private static List<InjectedPod> injectedPods(Target target, ReconcileContext<?> context) {
        Map<String, Optional<Namespace>> namespaces = new HashMap<>();
        return context.lister(Pod.class).by(SidecarSetController.PODS_BY_SET, target.name()).stream()
                .filter(pod -> InjectedPod.carries(pod, target))
                .filter(pod -> target.matches(
                        pod,
                        namespaces.computeIfAbsent(
                                pod.getMetadata().getNamespace(),
                                name -> context.lister(Namespace.class).get(ObjectKey.of(name)))))
                .map(pod -> InjectedPod.of(pod, target))
                .toList();
    }

    private static Set<String> revisionsInUse(List<InjectedPod> pods, Target target) {
        return pods.stream()
                .flatMap(pod -> InjectedPod.annotation(pod.pod(), PodAnnotations.HASH)
                        .entry(target.name())
                        .map(entry -> entry.path("controllerRevision"))
                        .map(JsonNode::asText)
                        .stream())
                .collect(Collectors.toSet());
    }

    /** The writes of one reconcile. */
    private final class Roll {

        private final Target target;
        private final ReconcileContext<SidecarSet> context;
        private final PodUpgrade upgrade;
        private final List<KubernetesClientException> refusals = new ArrayList<>();

        Roll(Target target, ReconcileContext<SidecarSet> context) {
            this.target = target;
            this.context = context;
            this.upgrade = new PodUpgrade(writes.apply(context), target, clock);
        }

        /** Ends hot upgrades; returns all Pods as they are now. */
        List<InjectedPod> reset(List<InjectedPod> pods) throws InterruptedException {
            List<InjectedPod> due = pods.stream()
                    .filter(pod ->
                            HotReset.patch(pod.pod(), target, clock.instant()).isPresent())
                    .toList();
            List<Pod> written = write(due, this::resetOne);
            written.forEach(pod -> context.events()
                    .normal(
                            pod,
                            "ResetContainerSucceed",
                            "Reset",
                            "SidecarSet " + target.name()
                                    + ": the container of the version before has its empty image"));
            return with(written, pods);
        }

        private Optional<Pod> resetOne(InjectedPod pod) {
            try {
                return upgrade.reset(pod);
            } catch (KubernetesClientException failure) {
                context.events()
                        .warning(
                                pod.pod(),
                                "ResetContainerFailed",
                                "Reset",
                                "SidecarSet " + target.name()
                                        + ": the container of the version before keeps its image: "
                                        + ApiFailure.reason(failure));
                throw failure;
            }
        }

        /** Returns all Pods, those of the batch as they are now. */
        List<InjectedPod> upgrade(List<InjectedPod> batch, List<InjectedPod> pods) throws InterruptedException {
            List<Pod> written = write(batch, upgrade::upgrade);
            if (!written.isEmpty()) {
                log.atInfo()
                        .addKeyValue("pods", written.size())
                        .addKeyValue("hash", target.version().hash())
                        .log("updated Pods in place");
            }
            return with(written, pods);
        }

        private List<InjectedPod> with(List<Pod> written, List<InjectedPod> pods) {
            Map<ObjectKey, InjectedPod> after = new HashMap<>();
            written.forEach(pod -> after.put(ObjectKey.of(pod), InjectedPod.of(pod, target)));
            return pods.stream()
                    .map(pod -> after.getOrDefault(ObjectKey.of(pod.pod()), pod))
                    .toList();
        }

        void correctConditions(SidecarSet set, List<InjectedPod> pods) throws InterruptedException {
            List<InjectedPod> wrong = pods.stream()
                    .filter(pod -> UpgradableCondition.correction(pod, target, clock.instant())
                            .isPresent())
                    .toList();
            long stuck = write(wrong, upgrade::correctCondition).stream()
                    .filter(pod -> !InjectedPod.of(pod, target).updated())
                    .count();
            if (stuck > 0) {
                context.events()
                        .warning(
                                set,
                                "NotUpgradablePods",
                                "Upgrade",
                                stuck + " Pods cannot be updated in place: more than their images has changed");
            }
        }

        Optional<String> firstRefusal() {
            return refusals.stream().findFirst().map(failure -> String.valueOf(failure.getMessage()));
        }

        void throwFirstRefusal() {
            if (!refusals.isEmpty()) {
                throw refusals.get(0);
            }
        }

        /** Remembers what was written, whatever else went wrong. */
        private List<Pod> write(List<InjectedPod> pods, Function<InjectedPod, Optional<Pod>> request)
                throws InterruptedException {
            List<Pod> written = new ArrayList<>();
            List<KubernetesClientException> failures = new ArrayList<>();
            for (PodRequests.Result result : PodRequests.all(pods, request)) {
                result.written().map(context::remember).ifPresent(written::add);
                if (result.failure() != null) {
                    (result.refused() ? refusals : failures).add(result.failure());
                }
            }
            if (!failures.isEmpty()) {
                throw failures.get(0);
            }
            return written;
        }
    }
}
