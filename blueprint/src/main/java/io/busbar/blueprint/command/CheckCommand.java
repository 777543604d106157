package io.busbar.blueprint.command;

import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.read.BlueprintReader.Checked;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code blueprint check}. */
@Command(
        name = "check",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description =
                "Tells all that is wrong with Blueprints, with field, line and column. Exit code 1 if anything is.")
final class CheckCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "YAML with one or more Blueprints.")
    private List<Path> paths = List.of();

    @Mixin
    private BlueprintFiles files;

    @Override
    public Integer call() {
        for (Checked checked : files.check(paths)) {
            Blueprint blueprint = checked.blueprint().blueprint();
            String order = checked.blueprint().resources().stream()
                    .map(CheckedResource::id)
                    .collect(Collectors.joining(", "));
            files.out()
                    .println(checked.file() + ": " + blueprint.name() + " is fine: "
                            + blueprint.schema().kind() + " of "
                            + blueprint.schema().apiVersion()
                            + (order.isEmpty() ? " without resources" : " makes " + order));
        }
        return files.hasFailed() ? ExitCode.SOFTWARE : ExitCode.OK;
    }
}
