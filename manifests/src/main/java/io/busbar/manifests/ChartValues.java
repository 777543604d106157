package io.busbar.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.yaml.Yaml;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of a chart as a table: each with the comment that stands over it in the file of values, and its default.
 *
 * <p>One thread.
 */
final class ChartValues {

    private static final Pattern KEY = Pattern.compile("( *)([^\\s:#-][^:]*):.*");
    /** A longer default is to be looked up. */
    private static final int SHORT = 60;

    private final JsonNode schema;
    private final Map<String, String> comments = new HashMap<>();
    private final StringBuilder rows = new StringBuilder("| value | default | |\n|---|---|---|\n");

    private ChartValues(JsonNode schema) {
        this.schema = schema;
    }

    /**
     * @param values as YAML, in which each value that the schema knows has a comment above it
     * @param schema as JSON
     * @throws IllegalStateException when a value has no comment, naming it
     */
    static String table(String values, String schema) {
        ChartValues table = new ChartValues(Yaml.read(schema));
        table.readComments(values);
        table.add("", Yaml.readAll(values).get(0), table.schema);
        return table.rows.toString();
    }

    private void readComments(String values) {
        Deque<String> path = new ArrayDeque<>();
        StringBuilder comment = new StringBuilder();
        for (String line : values.lines().toList()) {
            Matcher key = KEY.matcher(line);
            if (line.strip().startsWith("#")) {
                comment.append(line.strip().substring(1));
            } else if (key.matches()) {
                while (path.size() > key.group(1).length() / 2) {
                    path.removeLast();
                }
                path.addLast(key.group(2));
                comments.putIfAbsent(String.join(".", path), comment.toString().strip());
                comment.setLength(0);
            } else {
                comment.setLength(0);
            }
        }
    }

    private void add(String prefix, ObjectNode values, JsonNode parent) {
        values.properties().forEach(value -> {
            String path = prefix + value.getKey();
            JsonNode known = resolved(parent.path("properties").path(value.getKey()));
            String comment = comments.getOrDefault(path, "");
            if (!comment.isEmpty()) {
                rows.append("| `").append(path).append("` | ").append(shown(value.getValue()));
                rows.append(" | ").append(comment.replace("|", "\\|")).append(" |\n");
            } else if (value.getValue() instanceof ObjectNode group && known.has("properties") && !group.isEmpty()) {
                add(path + ".", group, known);
            } else {
                throw new IllegalStateException("chart/values.yaml: no comment above " + path);
            }
        });
    }

    private JsonNode resolved(JsonNode node) {
        String reference = node.path("$ref").asText();
        return reference.isEmpty() ? node : schema.at(reference.substring(1));
    }

    private static String shown(JsonNode value) {
        String text = value.isTextual() && !value.textValue().isEmpty() ? value.textValue() : value.toString();
        return text.length() > SHORT ? "see `values.yaml`" : '`' + text + '`';
    }
}
