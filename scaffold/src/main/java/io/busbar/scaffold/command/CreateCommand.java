package io.busbar.scaffold.command;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code create}, which is nothing by itself. */
@Command(name = "create", mixinStandardHelpOptions = true, description = "Adds to a project: api, webhook.")
final class CreateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                "create", "nothing", String.join(", ", spec.subcommands().keySet()))));
    }
}
