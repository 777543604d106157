package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path of fields and map keys into the objects of a schema, such as {@code .spec.containers} or {@code .spec['a.b']}.
 *
 * <p>Immutable.
 *
 * @param flaw what is wrong with it, in the API server's words; empty when nothing is
 * @param text as the API server writes it in messages: {@code spec.labels[x]}; empty for a flawed one
 * @param schema of what it leads to; a missing node for a flawed one
 */
public record FieldPath(String flaw, String text, JsonNode schema) {

    private static final Pattern STEP =
            Pattern.compile("\\.(?<name>[^.\\[\\]]+)|\\['(?<quoted>(?:[^'\\\\]|\\\\.)*)'\\]");

    /** @param brackets whether {@code ['x']} is allowed */
    public static FieldPath of(String path, JsonNode schema, boolean brackets) {
        Matcher matcher = STEP.matcher(path);
        StringBuilder text = new StringBuilder();
        JsonNode current = schema;
        int at = 0;
        while (at < path.length()) {
            if (path.charAt(at) == '[' && !brackets) {
                return flawed("array notation is not allowed");
            }
            if (!matcher.find(at) || matcher.start() != at) {
                return flawed(
                        ".[".indexOf(path.charAt(at)) < 0
                                ? "expected [ or . but got: "
                                        + path.substring(at).split("[.\\[]", 2)[0]
                                : "unexpected end of JSON path");
            }
            String name = matcher.group("name") != null
                    ? matcher.group("name")
                    : matcher.group("quoted").replaceAll("\\\\(.)", "$1");
            if (current.path("properties").isObject()) {
                current = current.path("properties").path(name);
                text.append(text.isEmpty() ? "" : ".").append(name);
            } else {
                current = current.path("additionalProperties");
                text.append('[').append(name).append(']');
            }
            if (!current.isObject()) {
                return flawed("does not refer to a valid field");
            }
            at = matcher.end();
        }
        return new FieldPath("", text.toString(), current);
    }

    private static FieldPath flawed(String why) {
        return new FieldPath(why, "", JsonNodeFactory.instance.missingNode());
    }
}
