package io.busbar.runtime.flags;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** The flags of an operator {@code shop} without bundles, as a command line has them. */
@Command(name = "run", mixinStandardHelpOptions = true)
final class ParsedFlags {

    @Mixin
    private OperatorFlags flags;

    private final CommandLine command = new CommandLine(this, ParsedFlags::made);

    static ParsedFlags of(String... words) {
        return of(Map.of(), words);
    }

    /** @param variables of the environment */
    static ParsedFlags of(Map<String, String> variables, String... words) {
        ParsedFlags parsed = new ParsedFlags();
        CommandLine program = new CommandLine(CommandSpec.create()).addSubcommand("run", parsed.command);
        new Environment("shop", variables).applyTo(program);
        program.parseArgs(Stream.concat(Stream.of("run"), Stream.of(words)).toArray(String[]::new));
        return parsed;
    }

    OperatorFlags flags() {
        return flags;
    }

    CommandSpec command() {
        return command.getCommandSpec();
    }

    private static <K> K made(Class<K> type) throws Exception {
        return type == BundleNames.class
                ? type.cast(new BundleNames(List.of()))
                : CommandLine.defaultFactory().create(type);
    }
}
