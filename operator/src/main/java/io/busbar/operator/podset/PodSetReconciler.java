package io.busbar.operator.podset;

import io.busbar.common.api.ApiFailure;
import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetStatus;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.dependent.DeletionOrder;
import io.busbar.reconciler.dependent.Presence;
import io.busbar.reconciler.dependent.SlowStart;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.Optional;

/**
 * Keeps as many Pods as a set asks for.
 *
 * <p>Guarantees: never more active Pods than the largest size asked for, however late the watches are, and whichever
 * answers are lost; no Pod for a set that has been deleted; no request when nothing has changed. Out of its hands is a
 * create of a process that has died, if the API server carries it out after the next process has listed the Pods: the
 * Pod too many is deleted once it is seen. Pods that the set does not control are not touched, whatever their labels.
 *
 * <p>Pods that have Failed or Succeeded are deleted and made anew, unlike a ReplicaSet's, which pile up until the
 * cluster collects them.
 */
final class PodSetReconciler implements Reconciler<PodSet> {

    private final Clock clock;

    PodSetReconciler(Clock clock) {
        this.clock = clock;
    }

    @Override
    public ReconcileResult reconcile(PodSet set, ReconcileContext<PodSet> context) throws InterruptedException {
        OwnedPods pods = ownedPods(context);
        if (someAreGone(set, pods) && !Presence.confirm(set, context.client())) {
            return ReconcileResult.awaitChange();
        }
        SlowStart.each(pods.ended(), context::delete);
        Optional<KubernetesClientException> refusal = scale(set, pods, context);
        tell(set, refusal, context);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        return ReconcileResult.awaitChange();
    }

    private static OwnedPods ownedPods(ReconcileContext<PodSet> context) {
        return OwnedPods.of(context.owned(Pod.class));
    }

    /** Fewer than there were; or fewer than wanted, although all were made when the set was looked at last. */
    private static boolean someAreGone(PodSet set, OwnedPods pods) {
        PodSetStatus status = set.getStatus();
        if (status == null) {
            return false;
        }
        boolean sizeIsNew = status.observedGeneration() < set.getMetadata().getGeneration();
        return pods.count() < (sizeIsNew ? status.replicas() : set.getSpec().size());
    }

    /** Returns why no more Pods can be made, if so. */
    private static Optional<KubernetesClientException> scale(
            PodSet set, OwnedPods pods, ReconcileContext<PodSet> context) throws InterruptedException {
        int missing = set.getSpec().size() - pods.count();
        try {
            SlowStart.each(DeletionOrder.first(Math.max(0, -missing), pods.active()), context::delete);
            SlowStart.repeat(Math.max(0, missing), () -> context.create(DesiredPod.of(set)));
            return Optional.empty();
        } catch (KubernetesClientException failure) {
            if (ApiFailure.of(failure) instanceof ApiFailure.Rejected) {
                return Optional.of(failure);
            }
            throw failure;
        }
    }

    private void tell(PodSet set, Optional<KubernetesClientException> refusal, ReconcileContext<PodSet> context) {
        Optional<String> why = refusal.map(ApiFailure::reason);
        why.ifPresent(message -> context.events().warning(set, "FailedCreate", "CreatePod", message));
        context.status(new Observation(ownedPods(context), why).in(set, clock.instant()));
    }
}
