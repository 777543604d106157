package io.busbar.operator.documentation;

import io.busbar.operator.Main;
import io.busbar.operator.bundled.Bundled;
import io.busbar.runtime.BusbarOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.command.OperatorCommandLine;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Reads the command lines of {@code java -jar} as the program itself reads them, and runs none. */
final class JarCommands {

    private static final Set<String> COMMANDS = Set.of(
            "run",
            "dev",
            "sandbox",
            "manifests",
            "scorecard",
            "shards",
            "top",
            "reset-conversion",
            "version",
            "init",
            "create",
            "edit",
            "update",
            "blueprint",
            "blueprint-operator",
            "explain-injection");
    private static final OperatorDefinition BLUEPRINTS = Bundled.blueprints();
    private static final String WATCHES_FILE = "--watches-file";
    private static final List<String> QUESTIONS = List.of("--help", "-h", "--version", "-V");

    private JarCommands() {}

    /** What is wrong with the arguments of {@code java}; empty where nothing is. */
    static Optional<String> problem(List<String> arguments) {
        int jar = arguments.indexOf("-jar");
        if (jar < 0 || jar + 1 == arguments.size()) {
            return Optional.of("java without -jar FILE");
        }
        List<String> words = arguments.subList(jar + 2, arguments.size());
        if (words.size() == 1 && QUESTIONS.contains(words.get(0))) {
            return Optional.empty();
        }
        if (arguments.get(jar + 1).endsWith("busbar-sandbox.jar")) {
            return parse(program(), "sandbox", words);
        }
        if (arguments.get(jar + 1).endsWith("busbar-charts.jar")) {
            return problem(blueprints(), withoutWatchesFile(words));
        }
        if (!words.isEmpty() && words.get(0).equals(BLUEPRINTS.name())) {
            return problem(blueprints(), words.subList(1, words.size()));
        }
        boolean named = !words.isEmpty() && !words.get(0).startsWith("-");
        String command = named ? words.get(0) : "run";
        if (!COMMANDS.contains(command)) {
            return Optional.of("command '" + command + "'; allowed: " + String.join(", ", COMMANDS));
        }
        return parse(program(), command, named ? words.subList(1, words.size()) : words);
    }

    /** The operator of charts is not here; apart from this flag its command line is that of any operator. */
    private static List<String> withoutWatchesFile(List<String> words) {
        int flag = words.indexOf(WATCHES_FILE);
        List<String> others = new ArrayList<>(words);
        if (flag >= 0 && flag + 1 < words.size()) {
            others.subList(flag, flag + 2).clear();
        }
        return others;
    }

    private static Optional<String> problem(OperatorCommandLine program, List<String> words) {
        boolean named = !words.isEmpty() && !words.get(0).startsWith("-");
        String command = named ? words.get(0) : "run";
        return program.commands().contains(command)
                ? parse(program, command, named ? words.subList(1, words.size()) : words)
                : Optional.of("command '" + command + "'; allowed: " + String.join(", ", program.commands()));
    }

    /** Of all commands, by their long names. */
    static Set<String> flags() {
        Set<String> flags = new TreeSet<>();
        COMMANDS.forEach(command -> addFlags(program().spec(command), flags));
        addFlags(blueprints().spec("run"), flags);
        flags.add(WATCHES_FILE);
        return flags;
    }

    private static void addFlags(CommandSpec command, Set<String> flags) {
        command.options().forEach(option -> flags.addAll(List.of(option.names())));
        command.subcommands().values().forEach(sub -> addFlags(sub.getCommandSpec(), flags));
    }

    private static OperatorCommandLine program() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return Main.program().commandLine(Map.of(), nowhere, nowhere);
    }

    private static OperatorCommandLine blueprints() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return BusbarOperator.of(BLUEPRINTS).commandLine(Map.of(), nowhere, nowhere);
    }

    private static Optional<String> parse(OperatorCommandLine program, String command, List<String> flags) {
        CommandLine line = program.spec(command).root().commandLine();
        try {
            List<String> words = new ArrayList<>(List.of(command));
            words.addAll(flags);
            for (ParseResult parsed = line.parseArgs(words.toArray(String[]::new));
                    parsed != null;
                    parsed = parsed.subcommand()) {
                boolean asked = parsed.isUsageHelpRequested() || parsed.isVersionHelpRequested();
                if (!asked && !parsed.errors().isEmpty()) {
                    return Optional.of(parsed.errors().get(0).getMessage());
                }
            }
        } catch (ParameterException wrong) {
            return Optional.of(wrong.getMessage());
        }
        return Optional.empty();
    }
}
