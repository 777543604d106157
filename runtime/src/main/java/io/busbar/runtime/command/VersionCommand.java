package io.busbar.runtime.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code version}. */
@Command(name = "version", description = "Prints the versions of the operator and Java.")
final class VersionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        for (String line : spec.versionProvider().getVersion()) {
            spec.commandLine().getOut().println(line);
        }
        return 0;
    }
}
