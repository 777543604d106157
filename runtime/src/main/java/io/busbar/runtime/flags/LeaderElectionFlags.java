package io.busbar.runtime.flags;

import io.busbar.common.ObjectKey;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.reconciler.leader.LeaderElectionOptions.Candidacy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How replicas elect a leader, as controller-runtime's managers are told. For one thread. */
final class LeaderElectionFlags {

    @Option(
            names = "--leader-elect",
            description =
                    "Lets one of several replicas lead: it alone writes, the others stand by. Without it, one that"
                            + " finds another warns, and waits.")
    private boolean elect;

    @Option(
            names = "--no-lease",
            description = "Takes no Lease, by which operators that elect no leader find each other, and writes also"
                    + " beside another one.")
    private boolean noLease;

    @Option(
            names = "--leader-election-id",
            defaultValue = "{operator}-leader-election",
            paramLabel = "NAME",
            description = "The Lease that a leader holds. Default: ${DEFAULT-VALUE}.")
    private String id = "";

    @Option(
            names = "--leader-election-namespace",
            paramLabel = "NAME",
            description = "The namespace of that Lease. Default: the operator's own.")
    private @Nullable String namespace;

    @Option(
            names = "--leader-election-lease-duration",
            defaultValue = "15s",
            paramLabel = "DURATION",
            converter = GoDuration.class,
            description = "How long the others wait, since they last saw the lease renewed; at least 1.1 times"
                    + " the renew deadline. Default: ${DEFAULT-VALUE}.")
    private Duration leaseDuration = Duration.ZERO;

    @Option(
            names = "--leader-election-renew-deadline",
            defaultValue = "10s",
            paramLabel = "DURATION",
            converter = GoDuration.class,
            description =
                    "How long a leader writes, since it last began to renew the lease. Default: ${DEFAULT-VALUE}.")
    private Duration renewDeadline = Duration.ZERO;

    @Option(
            names = "--leader-election-retry-period",
            defaultValue = "2s",
            paramLabel = "DURATION",
            converter = GoDuration.class,
            description = "How long to wait between attempts. Default: ${DEFAULT-VALUE}.")
    private Duration retryPeriod = Duration.ZERO;

    @Option(
            names = "--take-over",
            description =
                    "Takes the lead from the operator that is deployed, which stands by until this one ends or dies:"
                            + " for its developer's machine. Implies --leader-elect. With --webhook-url, this one's webhooks are asked"
                            + " meanwhile.")
    private boolean takeOver;

    /**
     * What no single flag shows.
     *
     * @param inCluster whether this runs in a Pod
     */
    List<ConfigurationProblem> problems(boolean inCluster) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        if (takeOver && inCluster) {
            problems.add(new ConfigurationProblem(
                    "--take-over",
                    "true",
                    "only outside of a cluster, lest replicas take over from each other for ever"));
        }
        if (noLease && (elect || takeOver)) {
            problems.add(new ConfigurationProblem(
                    "--no-lease", "true", "only without " + (elect ? "--leader-elect" : "--take-over")));
        }
        if (retryPeriod.isZero()) {
            problems.add(problem("--leader-election-retry-period", retryPeriod, "more than 0"));
        }
        if (!LeaderElectionOptions.outlasts(leaseDuration, renewDeadline)) {
            problems.add(problem(
                    "--leader-election-lease-duration",
                    leaseDuration,
                    "at least 1.1 times --leader-election-renew-deadline, as clocks may go wrong"));
        }
        if (!LeaderElectionOptions.leavesTimeToRetry(renewDeadline, retryPeriod)) {
            problems.add(problem(
                    "--leader-election-renew-deadline",
                    renewDeadline,
                    "more than 1.2 times --leader-election-retry-period"));
        }
        return problems;
    }

    private static ConfigurationProblem problem(String flag, Duration value, String allowed) {
        return new ConfigurationProblem(flag, value.toMillis() / 1000.0 + "s", allowed);
    }

    /** What is said here of a replica that shares the work. */
    List<ConfigurationProblem> problems(ShardFlags shards) {
        return shards.problems(elect, takeOver, noLease);
    }

    /** The Lease and the times, for whatever they are used. */
    LeaderElectionOptions election(String own) {
        return new LeaderElectionOptions(
                ObjectKey.of(namespace == null ? own : namespace, id), leaseDuration, renewDeadline, retryPeriod);
    }

    /** Whether this takes over from an operator that is deployed. */
    boolean takesOver() {
        return takeOver;
    }

    /**
     * @param own the operator's namespace
     * @param inCluster whether this runs in a Pod
     */
    Optional<LeaderElectionOptions> options(String own, boolean inCluster) {
        return noLease ? Optional.empty() : Optional.of(election(own).as(candidacy(inCluster)));
    }

    private Candidacy candidacy(boolean inCluster) {
        if (takeOver) {
            return Candidacy.TAKES_OVER;
        }
        if (elect) {
            return Candidacy.ELECTED;
        }
        return inCluster ? Candidacy.ALONE_IN_POD : Candidacy.ALONE;
    }
}
