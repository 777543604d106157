package io.busbar.blueprint.command;

import io.busbar.blueprint.definition.Definition;
import io.busbar.blueprint.read.BlueprintReader.Checked;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code blueprint crd}. */
@Command(
        name = "crd",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Prints the CustomResourceDefinition of a Blueprint's kind.")
final class CrdCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "YAML with one or more Blueprints.")
    private Path path = Path.of("");

    @Mixin
    private BlueprintFiles files;

    @Override
    public Integer call() {
        for (Checked checked : files.check(List.of(path))) {
            files.print(Definition.of(
                    checked.blueprint().blueprint().schema(),
                    checked.blueprint().statusSchema()));
        }
        return files.hasFailed() ? ExitCode.SOFTWARE : ExitCode.OK;
    }
}
