package io.busbar.scaffold.command;

import io.busbar.scaffold.Invocation;
import io.busbar.scaffold.Outcome;
import io.busbar.scaffold.Outcome.What;
import io.busbar.scaffold.Scaffold;
import io.busbar.scaffold.files.Edition;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all commands of the scaffold share: where the project is, and that they tell what they did. For one thread. */
final class ScaffoldRun {

    /** One command, as the engine does it. */
    interface Step {
        Outcome with(Scaffold scaffold) throws IOException;
    }

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            defaultValue = ".",
            description = "Of the project. Default: the one that this is called in.")
    private Path folder = Path.of("");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** Exit code 1 says that there are conflicts to be settled. */
    int run(Step step) throws IOException {
        Outcome outcome = step.with(new Scaffold(folder, Edition.current(), Invocation.JAR));
        outcome.lines().forEach(spec.commandLine().getOut()::println);
        return outcome.paths(What.CONFLICT).isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
