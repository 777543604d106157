package io.busbar.operator.podbugger;

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
 * @param ready whether all Pods that match have the container
 */
record Progress(int installed, int matched, boolean ready, String reason, String message) {

    static Progress of(MatchingPods pods, List<String> refusals) {
        int installed = pods.installed();
        String counts = installed + " of " + pods.count() + " Pods have " + pods.container();
        if (!refusals.isEmpty()) {
            return new Progress(installed, pods.count(), false, "Refused", refusals.get(0));
        }
        if (pods.count() == 0) {
            return new Progress(0, 0, true, "NoPodMatches", "no Pod has the label");
        }
        boolean all = installed == pods.count();
        return new Progress(installed, pods.count(), all, all ? "Installed" : "Installing", counts);
    }

    static Progress notServed(MatchingPods pods) {
        return new Progress(
                pods.installed(),
                pods.count(),
                false,
                "NotServed",
                "the API server has no pods/ephemeralcontainers: before Kubernetes 1.23 it needs the feature gate EphemeralContainers");
    }

    static Progress invalid(String message) {
        return new Progress(0, 0, false, "InvalidLabel", message);
    }

    /** A copy of the tool that tells so in its status. */
    Podbuggertool in(Podbuggertool tool, Instant now) {
        Conditions conditions = Conditions.of(tool, now).with(PodbuggertoolStatus.READY, ready, reason, message);
        return tool.with(
                new PodbuggertoolStatus(installed, matched, conditions.list(), conditions.observedGeneration()));
    }
}
