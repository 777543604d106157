package io.busbar.runtime.command;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.common.internal.command.LogFlags;
import io.busbar.common.internal.process.Foreground;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.runtime.assembly.DeployedOperator;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.flags.FlagValues;
import io.busbar.runtime.flags.KubernetesFlags;
import io.busbar.runtime.flags.MemberClusterFlags;
import io.busbar.runtime.flags.OperatorFlags;
import io.busbar.runtime.options.OperatorOptions;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code run}. */
@Command(
        name = "run",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Runs the operator against a cluster, until SIGINT or SIGTERM.")
final class RunCommand implements Callable<Integer>, RunsBundles {

    private final OperatorDefinition definition;

    @Mixin
    private KubernetesFlags kubernetes;

    @Mixin
    private MemberClusterFlags clusters;

    @Mixin
    private OperatorFlags operator;

    @Mixin
    private LogFlags log;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    RunCommand(OperatorDefinition definition) {
        this.definition = definition;
    }

    @Override
    public Integer call() throws Exception {
        log.apply(Level.INFO, definition.packages());
        OperatorOptions options = options();
        Map<String, Config> others = clusters.configs();
        if (options.shards().isPresent() && !others.isEmpty()) {
            throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                    "--shard",
                    "true",
                    "only without other clusters than the operator's own, whose objects are not shared out")));
        }
        if (options.leaderElection().filter(LeaderElectionOptions::takesOver).isPresent()) {
            try (KubernetesClient client = kubernetes.client()) {
                DeployedOperator.of(client, definition.name(), options.namespace())
                        .ifPresent(deployed -> deployed.checkThatItStandsBy(options));
            }
        }
        StandaloneOperator running =
                kubernetes.connect(config -> new StandaloneOperator(definition, config, others, options, List.of()));
        Foreground.run(atStop -> {
            atStop.accept(running::stop);
            running.start();
            running.awaitLoss();
        });
        return 0;
    }

    /** What it was told. */
    OperatorOptions options() {
        OperatorOptions options = operator.options(definition.name(), KubernetesFlags.inClusterNamespace()).toBuilder()
                .flags(FlagValues.of(spec))
                .build();
        if (options.shards().isPresent()) {
            List<ConfigurationProblem> problems = definition.bundles().stream()
                    .flatMap(bundle -> bundle.whyNotShared().stream()
                            .map(why -> new ConfigurationProblem(
                                    "--shard",
                                    "true",
                                    "only without the part '" + bundle.name() + "', as " + why
                                            + "; with --leader-elect one replica works, and others stand by")))
                    .toList();
            if (!problems.isEmpty()) {
                throw new InvalidConfigurationException(problems);
            }
        }
        return options;
    }
}
