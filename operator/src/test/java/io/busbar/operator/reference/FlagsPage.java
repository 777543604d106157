package io.busbar.operator.reference;

import io.busbar.operator.Main;
import io.busbar.operator.bundled.Bundled;
import io.busbar.runtime.BusbarOperator;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.command.OperatorCommandLine;
import io.busbar.runtime.flags.Environment;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** All commands of the jar and their flags, as picocli knows them. */
final class FlagsPage {

    private static final String DEFAULT = " Default: ";

    private static final String HEAD = """
            # Commands and flags

            `java -jar busbar.jar COMMAND FLAGS`; without a command, `run`. An operator of your own has `run`, `dev`, `sandbox`, `manifests`, `scorecard` and `version`,
            the flags of `run` but for those that a bundled operator brings (the last ones), and variables that begin with its own name in place of `BUSBAR`.

            A flag wins over its environment variable. A list is separated by commas. A duration is a number with a unit, such as `30s`, `12m` or `1h30m`.
            Unknown flags, unknown variables that begin with `BUSBAR_`, and bad values are told all at once, with exit code 2.
            """;

    private final Environment environment = new Environment("busbar", Map.of());

    Page page() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        OperatorCommandLine line = Main.program().commandLine(Map.of(), nowhere, nowhere);
        StringBuilder text = new StringBuilder(HEAD);
        line.commands().forEach(name -> describe(name, line.spec(name), text));
        describeOwn(Bundled.blueprints(), line.spec("run"), text);
        return new Page("flags.md", text.toString());
    }

    /** What another operator of the jar can be told that the first one cannot. */
    private static void describeOwn(OperatorDefinition other, CommandSpec common, StringBuilder text) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        CommandSpec run =
                BusbarOperator.of(other).commandLine(Map.of(), nowhere, nowhere).spec("run");
        text.append("\n## ").append(other.name()).append(" run\n\nThe flags of `run`, and:\n");
        text.append("\n| flag | variable | default | meaning |\n|---|---|---|---|\n");
        Environment own = new Environment(other.name(), Map.of());
        run.options().stream()
                .filter(option -> !common.optionsMap().containsKey(option.longestName()))
                .forEach(flag -> text.append(row(flag, own)));
    }

    private void describe(String name, CommandSpec command, StringBuilder text) {
        if (command.usageMessage().hidden()) {
            return; // It is not for people.
        }
        if (command.subcommands().isEmpty()) {
            text.append("\n## ").append(name).append("\n\n");
            text.append(String.join(" ", command.usageMessage().description())).append('\n');
            List<OptionSpec> flags = command.options().stream()
                    .filter(option -> !option.usageHelp() && !option.versionHelp())
                    .toList();
            if (!flags.isEmpty()) {
                text.append("\n| flag | variable | default | meaning |\n|---|---|---|---|\n");
                flags.forEach(flag -> text.append(row(flag, environment)));
            }
        }
        for (Map.Entry<String, CommandLine> within : command.subcommands().entrySet()) {
            describe(name + " " + within.getKey(), within.getValue().getCommandSpec(), text);
        }
    }

    private static String row(OptionSpec flag, Environment environment) {
        String meaning = String.join("", flag.description())
                .replace("${COMPLETION-CANDIDATES}", candidates(flag))
                .replace("${DEFAULT-VALUE}", String.valueOf(flag.defaultValueString(true)));
        int at = meaning.lastIndexOf(DEFAULT);
        String text = at < 0 ? meaning : meaning.substring(0, at);
        String stated = at < 0 ? "" : meaning.substring(at + DEFAULT.length(), meaning.length() - 1);
        boolean isSwitch = flag.arity().max() == 0;
        String standard = flag.required() ? "none: it is needed" : isSwitch ? "off" : stated;
        String name = String.join(", ", flag.names()) + (isSwitch ? "" : "=" + flag.paramLabel());
        return "| `" + name + "` | `" + environment.variable(flag.longestName()) + "` | " + Page.cell(standard) + " | "
                + Page.cell(text) + " |\n";
    }

    private static String candidates(OptionSpec flag) {
        return flag.completionCandidates() == null ? "" : String.join(", ", flag.completionCandidates());
    }
}
