package io.busbar.scaffold.command;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code edit}. */
@Command(
        name = "edit",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Changes what holds for a whole project.")
final class EditCommand implements Callable<Integer> {

    @Option(
            names = "--multigroup",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOLEAN",
            description = "Whether there may be kinds of several groups.")
    private @Nullable Boolean multigroup;

    @Option(
            names = "--chart",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOLEAN",
            description = "Whether the manifests have a Helm chart.")
    private @Nullable Boolean chart;

    @Option(
            names = "--bundle",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOLEAN",
            description = "Whether the manifests have a bundle for the Operator Lifecycle Manager.")
    private @Nullable Boolean bundle;

    @Mixin
    private ScaffoldRun run;

    @Override
    public Integer call() throws Exception {
        return run.run(scaffold -> scaffold.edit(multigroup, chart, bundle));
    }
}
