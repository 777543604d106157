package io.busbar.runtime.flags;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.reconciler.shard.Buckets;
import io.busbar.reconciler.shard.ShardOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How replicas share the work. For one thread. */
final class ShardFlags {

    @Option(
            names = "--shard",
            description =
                    "Lets replicas share the work, in place of one that leads: each reconciles a part of all objects, and"
                            + " what one leaves behind goes to the others. With the Lease and the times of the leader election.")
    private boolean shard;

    @Option(
            names = "--shard-buckets",
            defaultValue = "" + ShardOptions.BUCKETS,
            paramLabel = "N",
            description =
                    "Into how many parts objects are divided that replicas share; the same for all of them, and not to be"
                            + " changed while any runs. A power of two, up to 1024. Default: ${DEFAULT-VALUE}.")
    private int buckets;

    @Option(
            names = "--shard-template",
            defaultValue = "",
            paramLabel = "TEXT",
            description =
                    "Which Pod template this replica is of, such as its label pod-template-hash: work goes to replicas of the"
                            + " newest one. Default: none.")
    private String template = "";

    boolean isGiven() {
        return shard;
    }

    /** What no single flag shows. */
    List<ConfigurationProblem> problems(boolean elects, boolean takesOver, boolean noLease) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        if (shard && elects) {
            problems.add(without("--leader-elect, as no replica leads that shares the work"));
        }
        if (shard && takesOver) {
            problems.add(without("--take-over"));
        }
        if (shard && noLease) {
            problems.add(without("--no-lease"));
        }
        if (!Buckets.isAllowed(buckets)) {
            problems.add(new ConfigurationProblem(
                    "--shard-buckets", Integer.toString(buckets), "a power of two from 2 to 1024"));
        }
        return problems;
    }

    private static ConfigurationProblem without(String other) {
        return new ConfigurationProblem("--shard", "true", "only without " + other);
    }

    Optional<ShardOptions> options(LeaderElectionOptions election) {
        return shard ? Optional.of(new ShardOptions(election, buckets, template)) : Optional.empty();
    }
}
