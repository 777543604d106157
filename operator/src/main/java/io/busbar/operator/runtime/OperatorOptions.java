package io.busbar.operator.runtime;

import io.busbar.reconciler.leader.LeaderElectionOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * All that can be chosen about a running operator.
 *
 * <p>Immutable.
 *
 * @param namespace the operator's own; its webhooks leave it alone
 * @param operators those of the bundled ones that are to run, each once its kinds are installed; empty for all of them,
 *     whose kinds may stay away
 * @param watchNamespaces whose objects are watched; empty for all
 * @param protectedNamespaces into whose Pods nothing is injected, beside the operator's own
 * @param maxConcurrentReconciles workers of each controller
 * @param virtualThreads whether workers are virtual threads; needs Java 21
 * @param resyncInterval in which each primary is looked at, changed or not; zero for never
 * @param maxWatchStaleness without a sign of life of the API server on one of its watches for longer than this, the
 *     operator is not ready; zero for ever
 * @param gracefulShutdownTimeout how long a stop waits for reviews and reconciles in flight
 * @param requestRate how much is asked of the API server; empty for as much as there is to ask
 * @param leaderElection how replicas elect the one that writes; empty where there is only one
 * @param featureGates those that are switched on
 * @param podAddressing how database servers in Pods are reached
 * @param tracing where traces go; empty for none
 */
public record OperatorOptions(
        String namespace,
        Set<String> operators,
        Set<String> watchNamespaces,
        Set<String> protectedNamespaces,
        int maxConcurrentReconciles,
        boolean virtualThreads,
        Duration resyncInterval,
        Duration maxWatchStaleness,
        Duration gracefulShutdownTimeout,
        Optional<RequestRate> requestRate,
        Optional<LeaderElectionOptions> leaderElection,
        Set<FeatureGate> featureGates,
        PodAddressing podAddressing,
        Optional<TracingOptions> tracing,
        MetricsOptions metrics,
        BindAddress probes,
        WebhookOptions webhooks) {

    /**
     * How many requests are sent, watches and those of the leader election not counted.
     *
     * @param perSecond in the long run; above 0
     * @param burst at once after a quiet while; 1 or more
     */
    public record RequestRate(double perSecond, int burst) {}

    public OperatorOptions {
        operators = Set.copyOf(operators);
        watchNamespaces = Set.copyOf(watchNamespaces);
        protectedNamespaces = Set.copyOf(protectedNamespaces);
        featureGates = Set.copyOf(featureGates);
    }
}
