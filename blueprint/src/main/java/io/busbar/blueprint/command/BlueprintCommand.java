package io.busbar.blueprint.command;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code blueprint}, which is nothing by itself. */
@Command(
        name = "blueprint",
        mixinStandardHelpOptions = true,
        description = "Checks, renders, runs and packs Blueprints of files: check, crd, role, render, run, pack.")
final class BlueprintCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                "blueprint", "nothing", String.join(", ", spec.subcommands().keySet()))));
    }
}
