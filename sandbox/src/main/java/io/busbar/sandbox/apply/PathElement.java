package io.busbar.sandbox.apply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One step of a path: a field, or an item of a list by its keys, its value or its index.
 *
 * <p>Immutable. Ordered as in FieldsV1: fields, keys, values, indices.
 *
 * @param content the field's name, or the JSON of keys, value or index
 */
record PathElement(Kind kind, String content) implements Comparable<PathElement> {

    enum Kind {
        FIELD("f"),
        KEY("k"),
        VALUE("v"),
        INDEX("i");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    private static final JsonMapper MAPPER = new JsonMapper();

    static PathElement field(String name) {
        return new PathElement(Kind.FIELD, name);
    }

    static PathElement value(JsonNode value) {
        return new PathElement(Kind.VALUE, value.toString());
    }

    static PathElement index(int index) {
        return new PathElement(Kind.INDEX, Integer.toString(index));
    }

    static PathElement key(TreeMap<String, JsonNode> keys) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        return new PathElement(Kind.KEY, object.setAll(keys).toString());
    }

    /** Reads what {@link #wire()} writes. */
    static PathElement parse(String wire) {
        for (Kind kind : Kind.values()) {
            if (wire.startsWith(kind.prefix + ":")) {
                return new PathElement(kind, wire.substring(2));
            }
        }
        throw new IllegalArgumentException("not a path element: '" + wire + "'");
    }

    /** As in FieldsV1: {@code f:name}, {@code k:{"name":"a"}}, {@code v:1}, {@code i:0}. */
    String wire() {
        return kind.prefix + ":" + content;
    }

    @Override
    public int compareTo(PathElement other) {
        int byKind = kind.compareTo(other.kind);
        return byKind != 0 ? byKind : content.compareTo(other.content);
    }

    /** As in messages: {@code .name}, {@code [name="a"]}, {@code [="a"]}, {@code [0]}. */
    @Override
    public String toString() {
        return switch (kind) {
            case FIELD -> "." + content;
            case KEY ->
                keys().properties().stream()
                        .map(key -> key.getKey() + "=" + key.getValue())
                        .collect(Collectors.joining(",", "[", "]"));
            case VALUE -> "[=" + content + "]";
            case INDEX -> "[" + content + "]";
        };
    }

    private JsonNode keys() {
        try {
            return MAPPER.readTree(content);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not the keys of an item: " + content, e);
        }
    }
}
