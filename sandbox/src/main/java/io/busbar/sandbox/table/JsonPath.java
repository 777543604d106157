package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The paths that CRDs use for printer columns and for scale: fields, indexes, {@code [*]} and filters such as
 * {@code [?(@.type=="Ready")]}.
 *
 * <p>Immutable. Slices, unions, {@code ..} and functions are not understood: such a path finds nothing.
 */
public final class JsonPath {

    /** .field | ['field'] | [index] | [*] or .* | [?(@.a.b=="c")] */
    private static final Pattern STEP = Pattern.compile(
            "\\.(?<field>[^.\\[\\]*]+)"
                    + "|\\[['\"](?<quoted>[^'\"]*)['\"]]"
                    + "|\\[(?<index>-?\\d+)]"
                    + "|(?<all>\\[\\*]|\\.\\*)"
                    + "|\\[\\?\\(\\s*@(?<path>[^=!<>\\s]*)\\s*(?<operator>==|!=)\\s*(?<value>'[^']*'|\"[^\"]*\"|[^)\\s]+)\\s*\\)]");

    private interface Step {
        void from(JsonNode node, List<JsonNode> found);
    }

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /** @param text with or without the leading dot */
    public static JsonPath parse(String text) {
        String path = text.startsWith(".") || text.startsWith("[") ? text : "." + text;
        Matcher matcher = STEP.matcher(path.replace("\\.", "\u0001"));
        List<Step> steps = new ArrayList<>();
        int at = 0;
        while (matcher.find() && matcher.start() == at) {
            steps.add(step(matcher));
            at = matcher.end();
        }
        return at == matcher.regionEnd() ? new JsonPath(steps) : new JsonPath(List.of((node, found) -> {}));
    }

    /** What is there, in order; null values are not. */
    public List<JsonNode> find(JsonNode root) {
        List<JsonNode> nodes = List.of(root);
        for (Step step : steps) {
            List<JsonNode> next = new ArrayList<>();
            nodes.forEach(node -> step.from(node, next));
            nodes = next;
        }
        return nodes.stream().filter(node -> !node.isNull()).toList();
    }

    private static Step step(Matcher matcher) {
        if (matcher.group("field") != null) {
            return field(matcher.group("field").replace('\u0001', '.'));
        }
        if (matcher.group("quoted") != null) {
            return field(matcher.group("quoted").replace('\u0001', '.'));
        }
        if (matcher.group("index") != null) {
            int index = Integer.parseInt(matcher.group("index"));
            return (node, found) -> add(node.path(index < 0 ? node.size() + index : index), found);
        }
        if (matcher.group("all") != null) {
            return (node, found) -> node.forEach(found::add);
        }
        return filter(matcher.group("path"), matcher.group("operator").equals("=="), matcher.group("value"));
    }

    private static Step field(String name) {
        return (node, found) -> add(node.path(name), found);
    }

    private static Step filter(String path, boolean equal, String literal) {
        JsonPath inner = parse(path);
        char quote = literal.charAt(0);
        String value = quote == '"' || quote == '\'' ? literal.substring(1, literal.length() - 1) : literal;
        return (node, found) -> node.forEach(element -> {
            boolean same = inner.find(element).stream()
                    .anyMatch(actual -> actual.asText().equals(value));
            if (same == equal) {
                found.add(element);
            }
        });
    }

    private static void add(JsonNode node, List<JsonNode> found) {
        if (!node.isMissingNode()) {
            found.add(node);
        }
    }
}
