package io.busbar.runtime.command;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.common.internal.command.Logging;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.flags.BundleNames;
import io.busbar.runtime.flags.Environment;
import io.busbar.runtime.options.OperatorOptions;
import io.busbar.sandbox.command.SandboxCommand;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command line of an operator: {@code [run] FLAGS}, {@code dev}, {@code sandbox}, {@code manifests},
 * {@code scorecard}, {@code shards}, {@code reset-conversion}, {@code version}, and what its authors add.
 *
 * <p>One thread. Exit codes: 0 done or stopped, 1 failed, 2 wrong flags or environment. What is wrong with them is told
 * in text, a line each, whatever the format of log lines: it is for whoever has set them.
 */
public final class OperatorCommandLine {

    private static final String DEFAULT_COMMAND = "run";
    private static final List<String> FOR_ALL_COMMANDS = List.of("-h", "--help", "-V", "--version");

    private final OperatorDefinition operator;
    private final Map<String, Supplier<Object>> commands;
    private final Optional<String> version;
    private final Environment environment;
    private final PrintWriter out;
    private final PrintWriter err;

    /**
     * @param demo what {@code dev --demo} plays; that flag is there where this is
     * @param more commands of its own by name, annotated as picocli's {@code Command}; they stand before
     *     {@code version}
     * @param version of the operator; empty for that of the jar that has the first bundle
     * @param variables of the environment
     */
    public OperatorCommandLine(
            OperatorDefinition operator,
            Optional<Demo> demo,
            Map<String, Supplier<Object>> more,
            Optional<String> version,
            Map<String, String> variables,
            PrintWriter out,
            PrintWriter err) {
        this.operator = operator;
        this.version = version;
        this.commands = new LinkedHashMap<>();
        commands.put(DEFAULT_COMMAND, () -> new RunCommand(operator));
        commands.put("dev", () -> new DevCommand(operator, demo));
        commands.put("sandbox", SandboxCommand::new);
        commands.putAll(more);
        commands.put("manifests", () -> new ManifestsCommand(operator));
        commands.put("scorecard", () -> new ScorecardCommand(operator));
        commands.put("shards", () -> new ShardsCommand(operator));
        commands.put("top", () -> new TopCommand(operator));
        commands.put("reset-conversion", () -> new ResetConversionCommand(operator));
        commands.put("version", VersionCommand::new);
        this.environment = new Environment(operator.name(), variables);
        this.out = out;
        this.err = err;
    }

    @Command(mixinStandardHelpOptions = true)
    private static final class Root {}

    /** Runs one command to its end. */
    public int execute(String... args) {
        String first = args.length == 0 ? "" : args[0];
        if (FOR_ALL_COMMANDS.contains(first)) {
            return line(commands.keySet()).execute(args);
        }
        if (commands.containsKey(first)) {
            return line(Set.of(first)).execute(args);
        }
        if (!first.isEmpty() && !first.startsWith("-")) {
            tell(List.of(new ConfigurationProblem("command", first, String.join(", ", commands.keySet()))));
            return CommandLine.ExitCode.USAGE;
        }
        List<String> words = new ArrayList<>(List.of(DEFAULT_COMMAND));
        words.addAll(Arrays.asList(args));
        return line(Set.of(DEFAULT_COMMAND)).execute(words.toArray(String[]::new));
    }

    /** The names of all, in the order in which they are told. */
    public Set<String> commands() {
        return Collections.unmodifiableSet(commands.keySet());
    }

    /** What a command can be told. */
    public CommandSpec spec(String command) {
        return only(line(Set.of(command))).getCommandSpec();
    }

    /**
     * What {@code run} would run with, for who runs the operator in a process of their own.
     *
     * @throws IllegalArgumentException with all that is wrong with the flags and the environment, a line each
     */
    public OperatorOptions options(String... flags) {
        List<String> words = new ArrayList<>(List.of(DEFAULT_COMMAND));
        words.addAll(List.of(flags));
        CommandLine line = line(Set.of(DEFAULT_COMMAND));
        List<String> problems = problems(line.parseArgs(words.toArray(String[]::new)));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        RunCommand run = only(line).getCommand();
        return run.options();
    }

    /** Knows these commands only: a start need not read what the others may be told. */
    private CommandLine line(Set<String> names) {
        CommandLine line = new CommandLine(new Root(), this::made);
        line.setCommandName(operator.name());
        line.getCommandSpec()
                .versionProvider(new Version(operator, version))
                .usageMessage()
                .description(operator.about().summary())
                .footer(
                        "",
                        "Without a command, run. Each flag can also be given as " + environment.example()
                                + " in the environment.");
        commands.forEach((name, command) -> {
            if (names.contains(name)) {
                line.addSubcommand(name, subcommand(command.get()));
            }
        });
        line.setOut(out).setErr(err);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionStrategy(this::run);
        line.setExecutionExceptionHandler((failure, command, parsed) -> report(failure));
        collectErrors(line);
        environment.applyTo(line);
        return line;
    }

    private static CommandLine only(CommandLine line) {
        return line.getSubcommands().values().iterator().next();
    }

    private CommandLine subcommand(Object made) {
        CommandLine command = new CommandLine(made, this::made);
        command.getCommandSpec().versionProvider(new Version(operator, version));
        if (made instanceof RunsBundles) {
            for (Bundle bundle : operator.bundles()) {
                bundle.flags()
                        .ifPresent(flags -> command.getCommandSpec()
                                .addMixin(bundle.name(), CommandSpec.forAnnotatedObject(flags, this::made)));
            }
        }
        return command;
    }

    /** Commands, flags and converters; which bundles there are is known here. */
    private <K> K made(Class<K> type) throws Exception {
        return type == BundleNames.class
                ? type.cast(new BundleNames(
                        operator.bundles().stream().map(Bundle::name).toList()))
                : CommandLine.defaultFactory().create(type);
    }

    /**
     * Has flags that are wrong, of commands within commands too, told by what was parsed, not by an exception for the
     * first of them.
     */
    private static void collectErrors(CommandLine line) {
        line.getCommandSpec().parser().collectErrors(true);
        line.getSubcommands().values().forEach(OperatorCommandLine::collectErrors);
    }

    private int run(ParseResult parsed) {
        List<String> problems = problems(parsed);
        if (problems.isEmpty()) {
            return new CommandLine.RunLast().execute(parsed);
        }
        tell(problems);
        err.println(operator.name() + ": see " + operator.name() + " --help");
        return CommandLine.ExitCode.USAGE;
    }

    /** All that is wrong with the flags and the environment, a line each. */
    private List<String> problems(ParseResult words) {
        // Once each: what a command within a command lacks, picocli tells of both.
        Set<String> problems = new LinkedHashSet<>();
        for (ParseResult parsed = words; parsed != null; parsed = parsed.subcommand()) {
            parsed.errors().stream().map(Exception::getMessage).forEach(problems::add);
        }
        problems.addAll(environment.unknownVariables(() -> line(commands.keySet())));
        return List.copyOf(problems);
    }

    private int report(Exception failure) {
        if (failure instanceof InvalidConfigurationException invalid) {
            tell(invalid.problems());
            return CommandLine.ExitCode.USAGE;
        }
        if (Logging.isJson()) {
            LoggerFactory.getLogger(OperatorCommandLine.class)
                    .atError()
                    .addKeyValue("error", ApiFailure.reason(failure))
                    .log("the command has failed");
        } else {
            tell(List.of(ApiFailure.reason(failure)));
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private void tell(List<?> lines) {
        lines.forEach(line -> err.println(operator.name() + ": " + line));
    }
}
