package io.busbar.operator.command;

import io.busbar.common.configuration.InvalidConfigurationException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/**
 * The command line: {@code busbar [run] FLAGS}, {@code busbar dev}, {@code busbar sandbox}, {@code busbar explain-injection}, {@code busbar manifests},
 * {@code busbar version}.
 *
 * <p>One thread. Exit codes: 0 done or stopped, 1 failed, 2 wrong flags or environment.
 */
public final class Busbar {

    private static final String DEFAULT_COMMAND = "run";

    private final Map<String, String> environment;
    private final PrintWriter out;
    private final PrintWriter err;

    public Busbar(Map<String, String> environment, PrintWriter out, PrintWriter err) {
        this.environment = Map.copyOf(environment);
        this.out = out;
        this.err = err;
    }

    @Command(
            name = "busbar",
            description = "A Kubernetes operator for the JVM, and the toolkit it is made of.",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            subcommands = {
                RunCommand.class,
                DevCommand.class,
                SandboxCommand.class,
                ExplainInjectionCommand.class,
                ManifestsCommand.class,
                VersionCommand.class
            },
            footer = {"", "Without a command, run. Each flag can also be given as BUSBAR_FLAG_NAME in the environment."
            })
    private static final class Root {}

    /** Runs one command to its end. */
    public int execute(String... args) {
        Logging.configure(LogFlags.Level.WARN, LogFlags.Format.TEXT);
        CommandLine line = new CommandLine(new Root());
        line.setOut(out).setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionStrategy(parsed -> run(line, parsed));
        line.setExecutionExceptionHandler((failure, command, parsed) -> report(failure));
        collectErrors(line);
        line.getSubcommands().values().forEach(Busbar::collectErrors);
        Environment.applyTo(line, environment);
        return line.execute(withCommand(line, args));
    }

    /** Has flags that are wrong told by what was parsed, not by an exception for the first of them. */
    private static void collectErrors(CommandLine line) {
        line.getCommandSpec().parser().collectErrors(true);
    }

    private static String[] withCommand(CommandLine line, String[] args) {
        boolean named = args.length > 0
                && (line.getSubcommands().containsKey(args[0])
                        || List.of("-h", "--help", "-V", "--version").contains(args[0]));
        if (named) {
            return args;
        }
        List<String> words = new ArrayList<>(List.of(DEFAULT_COMMAND));
        words.addAll(Arrays.asList(args));
        return words.toArray(String[]::new);
    }

    private int run(CommandLine line, ParseResult parsed) {
        List<String> problems = problems(line, parsed);
        if (problems.isEmpty()) {
            return new CommandLine.RunLast().execute(parsed);
        }
        problems.forEach(problem -> err.println("busbar: " + problem));
        err.println("busbar: see busbar --help");
        return CommandLine.ExitCode.USAGE;
    }

    /** All that is wrong with the flags and the environment, a line each. */
    private List<String> problems(CommandLine line, ParseResult words) {
        List<String> problems = new ArrayList<>();
        for (ParseResult parsed = words; parsed != null; parsed = parsed.subcommand()) {
            parsed.errors().stream().map(Exception::getMessage).forEach(problems::add);
        }
        problems.addAll(Environment.unknownVariables(line, environment));
        return problems;
    }

    private int report(Exception failure) {
        if (failure instanceof InvalidConfigurationException invalid) {
            invalid.problems().forEach(problem -> err.println("busbar: " + problem));
            return CommandLine.ExitCode.USAGE;
        }
        err.println("busbar: " + (failure.getMessage() == null ? failure.toString() : failure.getMessage()));
        return CommandLine.ExitCode.SOFTWARE;
    }
}
