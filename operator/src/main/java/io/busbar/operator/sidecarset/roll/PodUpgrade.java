package io.busbar.operator.sidecarset.roll;

import io.busbar.common.api.ApiFailure;
import io.busbar.operator.sidecarset.pod.JsonPatch;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Writes to Pods what a set wants of them, each Pod once: somebody else's write in between is read and decided upon
 * anew.
 *
 * <p>For the thread of one reconcile.
 */
final class PodUpgrade {

    /** As client-go's {@code DefaultRetry}. */
    private static final int ATTEMPTS = 5;

    private static final int UNPROCESSABLE = 422;

    private final PodWrites writes;
    private final Target target;
    private final Clock clock;

    PodUpgrade(PodWrites writes, Target target, Clock clock) {
        this.writes = writes;
        this.target = target;
        this.clock = clock;
    }

    /**
     * Brings a Pod to the set's version. Where its annotations matter it is read whole first: a watch keeps few of
     * them.
     *
     * @return the Pod as it was written; empty where it is gone, or no longer due
     */
    Optional<Pod> upgrade(InjectedPod pod) {
        if (target.metadataPatches().isEmpty()) {
            return write(pod, this::upgradePatch, writes::patch);
        }
        return writes.read(pod.pod())
                .flatMap(whole -> write(InjectedPod.of(whole, target), this::upgradePatch, writes::patch));
    }

    /**
     * Empties the slots that a hot upgrade has left behind.
     *
     * @return the Pod as it was written; empty where it is gone, or none is due
     */
    Optional<Pod> reset(InjectedPod pod) {
        return write(pod, now -> HotReset.patch(now.pod(), target, clock.instant()), writes::patch);
    }

    /**
     * Corrects a Pod's condition.
     *
     * @return the Pod as it was written; empty where it is gone, or the condition is right
     */
    Optional<Pod> correctCondition(InjectedPod pod) {
        return write(pod, now -> UpgradableCondition.correction(now, target, clock.instant()), writes::patchStatus);
    }

    private Optional<JsonPatch> upgradePatch(InjectedPod pod) {
        return pod.updated()
                        || !pod.upgradable()
                        || !target.rollsOutTo(pod.pod())
                        || !InjectedPod.carries(pod.pod(), target)
                ? Optional.empty()
                : Optional.of(UpgradePatch.of(pod.pod(), target, clock.instant()));
    }

    private Optional<Pod> write(
            InjectedPod first,
            Function<InjectedPod, Optional<JsonPatch>> decide,
            BiFunction<Pod, JsonPatch, Pod> request) {
        InjectedPod current = first;
        for (int attempt = 1; ; attempt++) {
            Optional<JsonPatch> patch = decide.apply(current);
            if (patch.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(request.apply(current.pod(), patch.get()));
            } catch (KubernetesClientException failure) {
                ApiFailure kind = ApiFailure.of(failure);
                if (kind instanceof ApiFailure.NotFound) {
                    return Optional.empty();
                }
                boolean outdated = kind instanceof ApiFailure.Conflict || doesNotApply(failure);
                if (!outdated || attempt == ATTEMPTS) {
                    throw failure;
                }
            }
            Optional<Pod> fresh = writes.read(current.pod());
            if (fresh.isEmpty()) {
                return Optional.empty();
            }
            current = InjectedPod.of(fresh.get(), target);
        }
    }

    /**
     * Whether a patch names a place that is not there, as in conditions that have become fewer. It is refused before
     * its resourceVersion is looked at, without a cause, which what is invalid has.
     */
    private static boolean doesNotApply(KubernetesClientException failure) {
        Status status = failure.getStatus();
        return failure.getCode() == UNPROCESSABLE
                && status != null
                && (status.getDetails() == null
                        || status.getDetails().getCauses().isEmpty());
    }
}
