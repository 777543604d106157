package io.busbar.runtime.flags;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Flags from the environment: for an operator named {@code shop}, {@code --webhook-port} is {@code SHOP_WEBHOOK_PORT}.
 *
 * <p>Immutable.
 */
public final class Environment {

    /** Stands for the operator's name in defaults of flags, and in what is said of them. */
    private static final String OPERATOR = "{operator}";

    private final String operator;
    private final String prefix;
    private final Map<String, String> variables;
    /** What a kubelet sets in each container for the Services of its namespace (enableServiceLinks). */
    private final Pattern serviceLink;

    /**
     * @param operator its name
     */
    public Environment(String operator, Map<String, String> variables) {
        this.operator = operator;
        this.prefix = shouted(operator) + "_";
        this.variables = Map.copyOf(variables);
        this.serviceLink =
                Pattern.compile(prefix + "\\w*(SERVICE_HOST|SERVICE_PORT(_\\w+)?|_PORT_\\d+_(TCP|UDP|SCTP)(_\\w+)?)");
    }

    /** How a flag is named here. */
    public String example() {
        return variable("--flag-name");
    }

    /** Lets each variable serve as the default of its flag. */
    public void applyTo(CommandLine line) {
        CommandLine.IDefaultValueProvider fromEnvironment = argument -> {
            if (!(argument instanceof OptionSpec option) || isQuestion(option)) {
                return null;
            }
            String value = variables.get(variable(option.longestName()));
            return value == null ? withName(option.defaultValue()) : value;
        };
        line.getSubcommands().values().forEach(command -> command.setDefaultValueProvider(fromEnvironment));
    }

    /**
     * A line for each variable of ours that is no flag of any command.
     *
     * @param all knows all commands; asked only if there are variables of ours
     */
    public List<String> unknownVariables(Supplier<CommandLine> all) {
        List<String> ours = variables.entrySet().stream()
                .filter(variable -> variable.getKey().startsWith(prefix))
                .filter(variable -> !isServiceLink(variable.getKey(), variable.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        if (ours.isEmpty()) {
            return List.of();
        }
        Set<String> known = commands(all.get())
                .flatMap(command -> command.getCommandSpec().options().stream())
                .filter(option -> !isQuestion(option))
                .map(option -> variable(option.longestName()))
                .collect(Collectors.toSet());
        return ours.stream()
                .filter(name -> !known.contains(name))
                .map(name -> "Unknown environment variable: '" + name + "'")
                .toList();
    }

    /** Those within commands too, such as {@code create api}. */
    private static Stream<CommandLine> commands(CommandLine line) {
        return line.getSubcommands().values().stream()
                .flatMap(command -> Stream.concat(Stream.of(command), commands(command)));
    }

    /** Whether a flag asks for help or for the operator's version; {@code --version} of a kind does not. */
    private static boolean isQuestion(OptionSpec option) {
        return option.usageHelp() || option.versionHelp();
    }

    private boolean isServiceLink(String name, String value) {
        return serviceLink.matcher(name).matches() || (name.endsWith("_PORT") && value.startsWith("tcp://"));
    }

    private @Nullable String withName(@Nullable String text) {
        return text == null ? null : text.replace(OPERATOR, operator);
    }

    /**
     * The variable that speaks of a flag.
     *
     * @param flag with its dashes
     */
    public String variable(String flag) {
        return prefix + shouted(flag.startsWith("--") ? flag.substring(2) : flag);
    }

    private static String shouted(String name) {
        return name.replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
