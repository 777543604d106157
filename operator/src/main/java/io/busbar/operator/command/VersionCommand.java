package io.busbar.operator.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code busbar version}. */
@Command(name = "version", description = "Prints the versions of Busbar and Java.")
final class VersionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        for (String line : new Version().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
        return 0;
    }
}
