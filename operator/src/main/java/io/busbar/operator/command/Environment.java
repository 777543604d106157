package io.busbar.operator.command;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Flags from the environment: {@code --webhook-port} is {@code BUSBAR_WEBHOOK_PORT}. Immutable. */
final class Environment {

    private static final String PREFIX = "BUSBAR_";

    /** What a kubelet sets in each container for the Services of its namespace (enableServiceLinks). */
    private static final Pattern SERVICE_LINK =
            Pattern.compile("BUSBAR_\\w*(SERVICE_HOST|SERVICE_PORT(_\\w+)?|_PORT_\\d+_(TCP|UDP|SCTP)(_\\w+)?)");

    private Environment() {}

    /** Lets each variable serve as the default of its flag. */
    static void applyTo(CommandLine line, Map<String, String> environment) {
        CommandLine.IDefaultValueProvider fromEnvironment = argument -> {
            if (!(argument instanceof OptionSpec option)) {
                return null;
            }
            String value = environment.get(variable(option.longestName()));
            return value == null ? option.defaultValue() : value;
        };
        line.getSubcommands().values().forEach(command -> command.setDefaultValueProvider(fromEnvironment));
    }

    /**
     * A line for each variable of ours that is no flag of any command.
     *
     * @param all knows all commands; asked only if there are variables of ours
     */
    static List<String> unknownVariables(Supplier<CommandLine> all, Map<String, String> environment) {
        List<String> ours = environment.entrySet().stream()
                .filter(variable -> variable.getKey().startsWith(PREFIX))
                .filter(variable -> !isServiceLink(variable.getKey(), variable.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        if (ours.isEmpty()) {
            return List.of();
        }
        Set<String> known = all.get().getSubcommands().values().stream()
                .flatMap(command -> command.getCommandSpec().options().stream())
                .map(option -> variable(option.longestName()))
                .collect(Collectors.toSet());
        return ours.stream()
                .filter(name -> !known.contains(name))
                .map(name -> "Unknown environment variable: '" + name + "'")
                .toList();
    }

    private static boolean isServiceLink(String name, String value) {
        return SERVICE_LINK.matcher(name).matches() || (name.endsWith("_PORT") && value.startsWith("tcp://"));
    }

    private static String variable(String flag) {
        String name = flag.startsWith("--") ? flag.substring(2) : flag;
        return PREFIX + name.replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
