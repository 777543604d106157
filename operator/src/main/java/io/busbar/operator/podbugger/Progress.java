package io.busbar.operator.podbugger;

import io.busbar.common.condition.ConditionReason;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.operator.podbugger.v1beta1.PodbuggertoolStatus;
import java.time.Instant;
import java.util.List;

/**
 * What is to be told of a tool. What was put into Pods in the same reconcile counts once the watch shows it.
 *
 * <p>Immutable.
 *
 * @param reason why all Pods that match have the container, or why not
 */
record Progress(int installed, int matched, ConditionReason reason, String message) {

    private static final ConditionReason INSTALLED =
            ConditionReason.ofTrue(PodbuggertoolStatus.READY, "Installed", "each Pod that matches has the container");
    private static final ConditionReason NO_POD_MATCHES =
            ConditionReason.ofTrue(PodbuggertoolStatus.READY, "NoPodMatches", "no Pod has the label now");
    private static final ConditionReason INSTALLING = ConditionReason.ofFalse(
            PodbuggertoolStatus.READY, "Installing", "some Pods that match do not have the container yet");
    private static final ConditionReason REFUSED = ConditionReason.ofFalse(
            PodbuggertoolStatus.READY, "Refused", "the API server refuses a container; the message has its words");
    private static final ConditionReason NOT_SERVED = ConditionReason.ofFalse(
            PodbuggertoolStatus.READY, "NotServed", "the cluster does not serve pods/ephemeralcontainers");
    private static final ConditionReason INVALID_LABEL =
            ConditionReason.ofFalse(PodbuggertoolStatus.READY, "InvalidLabel", "spec.label is not key=value");

    static Progress of(MatchingPods pods, List<String> refusals) {
        int installed = pods.installed();
        String counts = installed + " of " + pods.count() + " Pods have " + pods.container();
        if (!refusals.isEmpty()) {
            return new Progress(installed, pods.count(), REFUSED, refusals.get(0));
        }
        if (pods.count() == 0) {
            return new Progress(0, 0, NO_POD_MATCHES, "no Pod has the label");
        }
        boolean all = installed == pods.count();
        return new Progress(installed, pods.count(), all ? INSTALLED : INSTALLING, counts);
    }

    static Progress notServed(MatchingPods pods) {
        return new Progress(
                pods.installed(),
                pods.count(),
                NOT_SERVED,
                "the API server has no pods/ephemeralcontainers: before Kubernetes 1.23 it needs the feature gate EphemeralContainers");
    }

    static Progress invalid(String message) {
        return new Progress(0, 0, INVALID_LABEL, message);
    }

    /** A copy of the tool that tells so in its status. */
    Podbuggertool in(Podbuggertool tool, Instant now) {
        Conditions conditions = Conditions.of(tool, now).with(reason, message);
        return tool.with(
                new PodbuggertoolStatus(installed, matched, conditions.list(), conditions.observedGeneration()));
    }
}
