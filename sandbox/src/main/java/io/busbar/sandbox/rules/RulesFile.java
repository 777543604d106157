package io.busbar.sandbox.rules;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.syntax.TextFile;
import io.busbar.sandbox.table.Columns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a room, by type, and the columns of its kinds.
 *
 * <pre>
 *   core.v1.PodSpec
 *     restartPolicy: default(Always) required enum(Always, OnFailure, Never)
 *     dnsConfig if dnsPolicy=None: required("must provide `dnsConfig` when `dnsPolicy` is None")
 *     *: check(hostPorts)
 *
 *   columns Secret.
 *     Name
 *     Type: {.type}
 * </pre>
 *
 * A type stands at the beginning of a line, its rules behind two spaces. A rule names a field, or {@code *} for the
 * whole; behind {@code if} or {@code unless} stand conditions on fields beside it, behind {@code as} what messages call
 * it (each {@code ^} leaves out the last step of the object's path); then come constraints, which are checked until one
 * is broken; {@code inside} among them has what stands below checked there and then. Before them may stand what the
 * field has when nothing is said: {@code default(Always)}, where an object or a list is JSON, {@code defaultForZero(1)}
 * where zero is nothing, {@code initially(0)} in the status of what is new, and {@code fill(ports)} for what Java does
 * in place. Defaults are filled in from above, in the order of the lines. Behind {@code columns} stands a kind with its
 * group; its lines are those of {@link Columns}.
 *
 * <p>Immutable.
 */
public final class RulesFile {

    static final String COLUMNS = "columns ";

    private static final Pattern RULE =
            Pattern.compile("([\\w.$*-]+(?:\\[\\])?)((?: (?:if|unless) [^\\s:]+)*)(?: as ([^\\s:]+))?: (.*)");
    private static final Pattern FILLS = Pattern.compile(": (?:default|fill)");
    private static final Pattern CONDITION = Pattern.compile(" (if|unless) ([\\w.]+)(?:=(\\S+))?");
    private static final Pattern CONSTRAINT = Pattern.compile("\\s*(\\w+)(?:\\(((?:\"[^\"]*\"|[^\")])*)\\))?");
    private static final Pattern ARGUMENT = Pattern.compile("\\s*(?:\"([^\"]*)\"|([^,\"]+))\\s*(?:,|$)");

    private final Map<String, List<String>> lines;
    private final Map<String, Check> checks;
    private final Map<String, Function<JsonNode, String>> cells;

    private RulesFile(
            Map<String, List<String>> lines, Map<String, Check> checks, Map<String, Function<JsonNode, String>> cells) {
        this.lines = lines;
        this.checks = checks;
        this.cells = cells;
    }

    /** Reads {@code rules.txt} beside a class, which needs nothing in Java. */
    public static RulesFile beside(Class<?> room) {
        return beside(room, Map.of(), Map.of());
    }

    /** Reads {@code rules.txt} beside a class, which needs no cells in Java. */
    public static RulesFile beside(Class<?> room, Map<String, Check> checks) {
        return beside(room, checks, Map.of());
    }

    /**
     * Reads {@code rules.txt} beside a class.
     *
     * @param checks in Java, by the names under which the file knows them
     * @param cells the same for what columns show
     */
    public static RulesFile beside(
            Class<?> room, Map<String, Check> checks, Map<String, Function<JsonNode, String>> cells) {
        return parse(TextFile.lines(room, "rules.txt"), checks, cells);
    }

    static RulesFile parse(
            List<String> text, Map<String, Check> checks, Map<String, Function<JsonNode, String>> cells) {
        Map<String, List<String>> lines = new HashMap<>();
        List<String> current = new ArrayList<>();
        for (String line : text) {
            if (line.startsWith("  ")) {
                current.add(line.strip());
            } else if (!line.isBlank() && !line.startsWith("#")) {
                current = lines.computeIfAbsent(line.strip(), type -> new ArrayList<>());
            }
        }
        return new RulesFile(lines, checks, cells);
    }

    /** What the file speaks of: types, and kinds of which it has the columns. */
    Set<String> heads() {
        return lines.keySet();
    }

    /** Of a kind; Name and Age where the file has none. */
    Columns columns(String kind) {
        return Columns.of(lines.getOrDefault(COLUMNS + kind, List.of()), cells);
    }

    /**
     * The rules of a type; none for one that the file does not have.
     *
     * @throws IllegalStateException when a line cannot be understood
     */
    List<FieldRule> rules(String type) {
        return lines.getOrDefault(type, List.of()).stream()
                .map(line -> rule(type, line))
                .toList();
    }

    /** Whether rules of a type fill in what is not said. */
    boolean fills(String type) {
        return lines.getOrDefault(type, List.of()).stream()
                .anyMatch(line -> FILLS.matcher(line).find());
    }

    private FieldRule rule(String type, String line) {
        Matcher rule = RULE.matcher(line);
        if (!rule.matches()) {
            throw new IllegalStateException("not a rule: " + line);
        }
        List<FieldRule.Condition> conditions = new ArrayList<>();
        Matcher condition = CONDITION.matcher(rule.group(2));
        while (condition.find()) {
            List<String> values = condition.group(3) == null
                    ? List.of()
                    : List.of(condition.group(3).split("\\|", -1));
            boolean negated = condition.group(1).equals("unless");
            JsonPointer field = JsonPointer.compile("/" + condition.group(2).replace('.', '/'));
            conditions.add(new FieldRule.Condition(field, values, negated));
        }
        Filling filling = null;
        boolean initial = false;
        List<Constraint> constraints = new ArrayList<>();
        Matcher constraint = CONSTRAINT.matcher(rule.group(4));
        int end = 0;
        while (end < rule.group(4).length()) {
            if (!constraint.find(end) || constraint.start() != end) {
                throw new IllegalStateException("not constraints: " + line);
            }
            end = constraint.end();
            try {
                List<String> arguments = arguments(constraint.group(2));
                String word = constraint.group(1);
                Filling fills = Filling.parse(
                        word,
                        arguments.isEmpty() ? "" : arguments.get(0),
                        TypeRules.typeAt(type, rule.group(1)),
                        checks);
                if (fills == null) {
                    constraints.add(Constraint.parse(word, arguments, checks));
                } else {
                    filling = fills;
                    initial = word.equals("initially");
                }
            } catch (RuntimeException e) {
                throw new IllegalStateException(e.getMessage() + " in: " + line, e);
            }
        }
        return new FieldRule(
                FieldRule.Steps.of(rule.group(1)),
                ".".equals(rule.group(3)) ? "" : rule.group(3),
                List.copyOf(conditions),
                filling,
                initial,
                List.copyOf(constraints));
    }

    private static List<String> arguments(@Nullable String text) {
        List<String> arguments = new ArrayList<>();
        Matcher argument = ARGUMENT.matcher(text == null ? "" : text);
        while (argument.find()) {
            String quoted = argument.group(1);
            arguments.add(quoted == null ? argument.group(2).strip() : quoted.replace("''", "\""));
        }
        return arguments;
    }
}
