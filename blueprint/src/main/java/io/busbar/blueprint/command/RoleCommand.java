package io.busbar.blueprint.command;

import io.busbar.blueprint.definition.Permissions;
import io.busbar.blueprint.read.BlueprintReader.Checked;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code blueprint role}. */
@Command(
        name = "role",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Prints the Role, or the ClusterRole, that the ServiceAccount of a Blueprint needs.")
final class RoleCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "YAML with one or more Blueprints.")
    private Path path = Path.of("");

    @Mixin
    private BlueprintFiles files;

    @Override
    public Integer call() {
        for (Checked checked : files.check(List.of(path))) {
            Permissions permissions = Permissions.of(checked.blueprint());
            files.print(permissions.role(), permissions.notes().toArray(String[]::new));
        }
        return files.hasFailed() ? ExitCode.SOFTWARE : ExitCode.OK;
    }
}
