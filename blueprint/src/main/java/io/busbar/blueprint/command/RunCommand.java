package io.busbar.blueprint.command;

import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.read.BlueprintReader.Checked;
import io.busbar.blueprint.run.BlueprintOperator;
import io.busbar.blueprint.run.Names;
import io.busbar.common.ObjectKey;
import io.busbar.common.internal.command.LogFlags;
import io.busbar.common.internal.process.Foreground;
import io.busbar.reconciler.leader.LeaderElectionOptions;
import io.busbar.runtime.assembly.Installation;
import io.busbar.runtime.assembly.StandaloneOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.flags.KubernetesFlags;
import io.busbar.runtime.options.OperatorOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code blueprint run}. */
@Command(
        name = "run",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description =
                "Installs the kinds of Blueprints in a cluster and reconciles their instances, until SIGINT or SIGTERM."
                        + " A Blueprint that names a ServiceAccount is run with its rights, which this one may impersonate.")
final class RunCommand implements Callable<Integer> {

    private static final String NAME = "blueprint-run";

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "YAML with one or more Blueprints.")
    private List<Path> paths = List.of();

    @Option(
            names = "--service-account-namespace",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "Where the ServiceAccounts of the Blueprints are. Default: default.")
    private String accounts = "default";

    @Option(
            names = "--leader-elect",
            description = "Lets one of several processes lead that run the same Blueprints: it alone writes, the others"
                    + " stand by. Their Lease is in that namespace, too.")
    private boolean elect;

    @Mixin
    private BlueprintFiles files;

    @Mixin
    private KubernetesFlags kubernetes;

    @Mixin
    private LogFlags log;

    @Override
    public Integer call() throws Exception {
        log.apply(Level.INFO, Set.of());
        List<CheckedBlueprint> blueprints = files.checkForOneOperator(files.texts(paths)).stream()
                .map(Checked::blueprint)
                .toList();
        if (files.hasFailed()) {
            return ExitCode.SOFTWARE;
        }
        OperatorDefinition operator = BlueprintOperator.of(NAME, "0.0.0", blueprints, Optional.of(accounts));
        try (KubernetesClient client = kubernetes.client()) {
            operator.crds().forEach(kind -> Installation.install(client, kind));
        }
        StandaloneOperator running =
                kubernetes.connect(config -> new StandaloneOperator(operator, config, options(blueprints)));
        Foreground.run(atStop -> {
            atStop.accept(running::stop);
            running.start();
            running.awaitLoss();
        });
        return ExitCode.OK;
    }

    private OperatorOptions options(List<CheckedBlueprint> blueprints) {
        OperatorOptions.Builder options = OperatorOptions.besideCluster(NAME).toBuilder();
        return elect
                ? options.leaderElection(LeaderElectionOptions.of(ObjectKey.of(accounts, lease(blueprints))))
                        .build()
                : options.build();
    }

    /** Those who run the same Blueprints compete for it, and no others. */
    private static String lease(List<CheckedBlueprint> blueprints) {
        return Names.fitting(
                blueprints.stream()
                        .map(each -> each.blueprint().name())
                        .sorted()
                        .collect(Collectors.joining("-", NAME + "-", "")),
                "",
                63);
    }
}
