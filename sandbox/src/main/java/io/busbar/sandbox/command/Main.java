package io.busbar.sandbox.command;

import ch.qos.logback.classic.spi.LogbackServiceProvider;
import java.util.Optional;
import picocli.CommandLine;

/** {@code java -jar busbar-sandbox.jar}. */
public final class Main {

    private static final String NAME = "busbar-sandbox";

    private Main() {}

    /** Exits with 0 after an orderly stop, 1 when it cannot start, and 2 when a flag is wrong. */
    public static void main(String[] arguments) {
        // In its own jar there is one for java.util.logging, too, for those who use that as a library.
        System.setProperty("slf4j.internal.verbosity", "WARN"); // it would tell of that choice
        System.setProperty("slf4j.provider", LogbackServiceProvider.class.getName());
        System.exit(line().execute(arguments));
    }

    static CommandLine line() {
        String version = Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("dev");
        CommandLine line = new CommandLine(new SandboxCommand()).setCommandName(NAME);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOverwrittenOptionsAllowed(true); // as with kube-apiserver: so can those of an image be
        line.getCommandSpec().version(NAME + " " + version);
        line.setParameterExceptionHandler((wrong, given) -> {
            CommandLine command = wrong.getCommandLine();
            command.getErr().println(wrong.getMessage());
            command.getErr().println("'" + NAME + " --help' lists all flags");
            return CommandLine.ExitCode.USAGE;
        });
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println(NAME + ": " + failure.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        });
        return line;
    }
}
