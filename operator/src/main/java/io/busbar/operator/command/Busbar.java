package io.busbar.operator.command;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/**
 * The command line: {@code busbar [run] FLAGS}, {@code busbar dev}, {@code busbar sandbox}, {@code busbar explain-injection}, {@code busbar manifests},
 * {@code busbar version}.
 *
 * <p>One thread. Exit codes: 0 done or stopped, 1 failed, 2 wrong flags or environment. What is wrong with them is told in text, a line each,
 * whatever the format of log lines: it is for whoever has set them.
 */
public final class Busbar {

    private static final String DEFAULT_COMMAND = "run";
    private static final List<String> FOR_ALL_COMMANDS = List.of("-h", "--help", "-V", "--version");
    private static final Map<String, Class<?>> COMMANDS = commands();

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
            footer = {"", "Without a command, run. Each flag can also be given as BUSBAR_FLAG_NAME in the environment."
            })
    private static final class Root {}

    /** Runs one command to its end. */
    public int execute(String... args) {
        String first = args.length == 0 ? "" : args[0];
        if (FOR_ALL_COMMANDS.contains(first)) {
            return line(COMMANDS.keySet()).execute(args);
        }
        if (COMMANDS.containsKey(first)) {
            return line(Set.of(first)).execute(args);
        }
        if (!first.isEmpty() && !first.startsWith("-")) {
            tell(List.of(new ConfigurationProblem("command", first, String.join(", ", COMMANDS.keySet()))));
            return CommandLine.ExitCode.USAGE;
        }
        List<String> words = new ArrayList<>(List.of(DEFAULT_COMMAND));
        words.addAll(Arrays.asList(args));
        return line(Set.of(DEFAULT_COMMAND)).execute(words.toArray(String[]::new));
    }

    /** Knows these commands only: a start need not read what the others may be told. */
    private CommandLine line(Set<String> names) {
        CommandLine line = new CommandLine(new Root());
        names.forEach(name -> line.addSubcommand(COMMANDS.get(name)));
        line.setOut(out).setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionStrategy(this::run);
        line.setExecutionExceptionHandler((failure, command, parsed) -> report(failure));
        collectErrors(line);
        line.getSubcommands().values().forEach(Busbar::collectErrors);
        Environment.applyTo(line, environment);
        return line;
    }

    private static Map<String, Class<?>> commands() {
        Map<String, Class<?>> commands = new LinkedHashMap<>();
        commands.put(DEFAULT_COMMAND, RunCommand.class);
        commands.put("dev", DevCommand.class);
        commands.put("sandbox", SandboxCommand.class);
        commands.put("explain-injection", ExplainInjectionCommand.class);
        commands.put("manifests", ManifestsCommand.class);
        commands.put("version", VersionCommand.class);
        return commands;
    }

    /** Has flags that are wrong told by what was parsed, not by an exception for the first of them. */
    private static void collectErrors(CommandLine line) {
        line.getCommandSpec().parser().collectErrors(true);
    }

    private int run(ParseResult parsed) {
        List<String> problems = problems(parsed);
        if (problems.isEmpty()) {
            return new CommandLine.RunLast().execute(parsed);
        }
        tell(problems);
        err.println("busbar: see busbar --help");
        return CommandLine.ExitCode.USAGE;
    }

    /** All that is wrong with the flags and the environment, a line each. */
    private List<String> problems(ParseResult words) {
        List<String> problems = new ArrayList<>();
        for (ParseResult parsed = words; parsed != null; parsed = parsed.subcommand()) {
            parsed.errors().stream().map(Exception::getMessage).forEach(problems::add);
        }
        problems.addAll(Environment.unknownVariables(() -> line(COMMANDS.keySet()), environment));
        return problems;
    }

    private int report(Exception failure) {
        if (failure instanceof InvalidConfigurationException invalid) {
            tell(invalid.problems());
            return CommandLine.ExitCode.USAGE;
        }
        if (Logging.isJson()) {
            LoggerFactory.getLogger(Busbar.class)
                    .atError()
                    .addKeyValue("error", ApiFailure.reason(failure))
                    .log("the command has failed");
        } else {
            tell(List.of(ApiFailure.reason(failure)));
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private void tell(List<?> lines) {
        lines.forEach(line -> err.println("busbar: " + line));
    }
}
