package io.busbar.blueprint.command;

import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.run.BlueprintOperator;
import io.busbar.common.internal.command.LogFlags;
import io.busbar.common.internal.process.Foreground;
import io.busbar.runtime.flags.KubernetesFlags;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
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

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "YAML with one or more Blueprints.")
    private List<Path> paths = List.of();

    @Option(
            names = "--service-account-namespace",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "Where the ServiceAccounts of the Blueprints are. Default: default.")
    private String accounts = "default";

    @Mixin
    private BlueprintFiles files;

    @Mixin
    private KubernetesFlags kubernetes;

    @Mixin
    private LogFlags log;

    @Override
    public Integer call() throws Exception {
        log.apply(Level.INFO, Set.of());
        List<CheckedBlueprint> blueprints = files.check(paths).stream()
                .map(BlueprintFiles.Checked::blueprint)
                .toList();
        if (files.hasFailed()) {
            return ExitCode.SOFTWARE;
        }
        BlueprintOperator operator = kubernetes.connect(config -> new BlueprintOperator(config, blueprints, accounts));
        Foreground.run(atStop -> {
            atStop.accept(operator::stop);
            operator.start();
        });
        return ExitCode.OK;
    }
}
