package io.busbar.sandbox.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.status.Causes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What stands in a field when nothing is said. Any thread; filling in twice is the same as once. */
@FunctionalInterface
interface Filling {

    Set<String> PLAIN = Set.of("i", "l", "b", "d", "IntOrString");
    JsonMapper JSON = JsonMapper.builder().build();

    /** @param field empty for the object itself */
    void fill(ObjectNode object, String field);

    /**
     * What a word of a rules file says; null for a word that fills nothing in.
     *
     * @param type of the field's value
     */
    static @Nullable Filling parse(String word, String argument, String type, Map<String, Check> checks) {
        return switch (word) {
            case "default", "initially" -> {
                JsonNode value = value(argument, type);
                yield (object, field) -> {
                    if (object.path(field).asText("").isEmpty()
                            && !object.path(field).isContainerNode()) {
                        object.set(field, value.deepCopy());
                    }
                };
            }
            case "defaultForZero" -> {
                JsonNode value = value(argument, type);
                yield (object, field) -> {
                    if (object.path(field).asInt() == 0) {
                        object.set(field, value);
                    }
                };
            }
            case "fill" -> {
                Check check = Constraint.named(argument, checks);
                yield (object, field) -> {
                    JsonNode value = field.isEmpty() ? object : object.path(field);
                    if (!value.isMissingNode()) {
                        check.check(Place.of(new Causes(), type, value, MissingNode.getInstance()));
                    }
                };
            }
            default -> null;
        };
    }

    private static JsonNode value(String text, String type) {
        try {
            boolean json = text.startsWith("{")
                    || text.startsWith("[")
                    || (PLAIN.contains(type) && text.matches("-?\\d+|true|false"));
            return json ? JSON.readTree(text) : TextNode.valueOf(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
