package io.busbar.runtime.options;

import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.reconciler.shard.ShardOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that can be chosen about a running operator.
 *
 * <p>Immutable.
 *
 * @param namespace the operator's own; its webhooks leave it alone
 * @param inCluster whether this process runs in a Pod of the cluster
 * @param operators names of the bundles that are to run, each once its kinds are installed; empty for all of them,
 *     whose kinds may stay away
 * @param watchNamespaces whose objects are watched; empty for all
 * @param maxConcurrentReconciles workers of each controller that does not say how many it has
 * @param virtualThreads whether workers are virtual threads; needs Java 21
 * @param resyncInterval in which each primary is looked at, changed or not, of controllers that do not say so
 *     themselves; zero for never
 * @param maxWatchStaleness without a sign of life of the API server on one of its watches for longer than this, the
 *     operator is not ready; zero for ever
 * @param gracefulShutdownTimeout how long a stop waits for reviews and reconciles in flight
 * @param shutdownDelay how long a stop goes on to answer webhooks: clients may still be led here
 * @param requestRate how much is asked of the API server; empty for as much as there is to ask
 * @param leaderElection how replicas elect the one that writes, or how one that is meant to be alone finds others;
 *     empty
 *     where it writes whether others do or not
 * @param shards how replicas share the work, in place of one that leads; empty where they do not
 * @param tracing where traces go; empty for none
 * @param live where the live page is served
 * @param flags of the command line that says all this, by names without dashes, for people; without secrets; empty
 *     where there is none
 */
public record OperatorOptions(
        String namespace,
        boolean inCluster,
        Set<String> operators,
        Set<String> watchNamespaces,
        int maxConcurrentReconciles,
        boolean virtualThreads,
        Duration resyncInterval,
        Duration maxWatchStaleness,
        Duration gracefulShutdownTimeout,
        Duration shutdownDelay,
        Optional<RequestRate> requestRate,
        Optional<LeaderElectionOptions> leaderElection,
        Optional<ShardOptions> shards,
        Optional<TracingOptions> tracing,
        MetricsOptions metrics,
        BindAddress probes,
        LiveOptions live,
        WebhookOptions webhooks,
        Map<String, String> flags) {

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
        flags = Map.copyOf(flags);
    }

    /**
     * For an operator beside its cluster, on one machine: on free ports of 127.0.0.1, with its own certificate.
     *
     * @param operator its name
     */
    public static OperatorOptions besideCluster(String operator) {
        return new OperatorOptions(
                operator + "-system",
                false,
                Set.of(),
                Set.of(),
                4,
                false,
                Duration.ZERO,
                Duration.ofMinutes(12),
                Duration.ofSeconds(5),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                MetricsOptions.plain(BindAddress.loopback()),
                BindAddress.loopback(),
                LiveOptions.off(),
                new WebhookOptions(
                        BindAddress.loopback(),
                        new WebhookOptions.Certificates.SelfSigned(operator + "-webhook-ca"),
                        Optional.empty(),
                        Optional.of("https://127.0.0.1:0"),
                        operator + "-webhook-service",
                        false),
                Map.of());
    }

    /** For the same but for what is set on it. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** One thread; each value is as {@link OperatorOptions} says it. */
    public static final class Builder {

        private final String namespace;
        private final boolean inCluster;
        private Set<String> operators;
        private Set<String> watchNamespaces;
        private int maxConcurrentReconciles;
        private boolean virtualThreads;
        private Duration resyncInterval;
        private Duration maxWatchStaleness;
        private Duration gracefulShutdownTimeout;
        private Duration shutdownDelay;
        private Optional<RequestRate> requestRate;
        private Optional<LeaderElectionOptions> leaderElection;
        private Optional<ShardOptions> shards;
        private Optional<TracingOptions> tracing;
        private MetricsOptions metrics;
        private BindAddress probes;
        private LiveOptions live;
        private WebhookOptions webhooks;
        private Map<String, String> flags;

        private Builder(OperatorOptions options) {
            this.namespace = options.namespace;
            this.inCluster = options.inCluster;
            this.operators = options.operators;
            this.watchNamespaces = options.watchNamespaces;
            this.maxConcurrentReconciles = options.maxConcurrentReconciles;
            this.virtualThreads = options.virtualThreads;
            this.resyncInterval = options.resyncInterval;
            this.maxWatchStaleness = options.maxWatchStaleness;
            this.gracefulShutdownTimeout = options.gracefulShutdownTimeout;
            this.shutdownDelay = options.shutdownDelay;
            this.requestRate = options.requestRate;
            this.leaderElection = options.leaderElection;
            this.shards = options.shards;
            this.tracing = options.tracing;
            this.metrics = options.metrics;
            this.probes = options.probes;
            this.live = options.live;
            this.webhooks = options.webhooks;
            this.flags = options.flags;
        }

        public Builder operators(Set<String> operators) {
            this.operators = operators;
            return this;
        }

        public Builder watchNamespaces(Set<String> watchNamespaces) {
            this.watchNamespaces = watchNamespaces;
            return this;
        }

        public Builder maxConcurrentReconciles(int maxConcurrentReconciles) {
            this.maxConcurrentReconciles = maxConcurrentReconciles;
            return this;
        }

        public Builder virtualThreads(boolean virtualThreads) {
            this.virtualThreads = virtualThreads;
            return this;
        }

        public Builder resyncInterval(Duration resyncInterval) {
            this.resyncInterval = resyncInterval;
            return this;
        }

        public Builder maxWatchStaleness(Duration maxWatchStaleness) {
            this.maxWatchStaleness = maxWatchStaleness;
            return this;
        }

        public Builder gracefulShutdownTimeout(Duration gracefulShutdownTimeout) {
            this.gracefulShutdownTimeout = gracefulShutdownTimeout;
            return this;
        }

        public Builder shutdownDelay(Duration shutdownDelay) {
            this.shutdownDelay = shutdownDelay;
            return this;
        }

        public Builder requestRate(RequestRate requestRate) {
            this.requestRate = Optional.of(requestRate);
            return this;
        }

        public Builder leaderElection(LeaderElectionOptions leaderElection) {
            this.leaderElection = Optional.of(leaderElection);
            return this;
        }

        public Builder shards(ShardOptions shards) {
            this.shards = Optional.of(shards);
            this.leaderElection = Optional.empty();
            return this;
        }

        public Builder tracing(TracingOptions tracing) {
            this.tracing = Optional.of(tracing);
            return this;
        }

        public Builder metrics(MetricsOptions metrics) {
            this.metrics = metrics;
            return this;
        }

        public Builder probes(BindAddress probes) {
            this.probes = probes;
            return this;
        }

        public Builder live(LiveOptions live) {
            this.live = live;
            return this;
        }

        public Builder webhooks(WebhookOptions webhooks) {
            this.webhooks = webhooks;
            return this;
        }

        public Builder flags(Map<String, String> flags) {
            this.flags = flags;
            return this;
        }

        public OperatorOptions build() {
            return new OperatorOptions(
                    namespace,
                    inCluster,
                    operators,
                    watchNamespaces,
                    maxConcurrentReconciles,
                    virtualThreads,
                    resyncInterval,
                    maxWatchStaleness,
                    gracefulShutdownTimeout,
                    shutdownDelay,
                    requestRate,
                    leaderElection,
                    shards,
                    tracing,
                    metrics,
                    probes,
                    live,
                    webhooks,
                    flags);
        }
    }
}
