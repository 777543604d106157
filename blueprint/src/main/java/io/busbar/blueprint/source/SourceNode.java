package io.busbar.blueprint.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of a document: a map, a list, or a single value, with its place.
 *
 * <p>Immutable. It is equal to itself alone, however alike another one is.
 */
public final class SourceNode {

    /** What a part is. */
    public enum Kind {
        MAP,
        LIST,
        VALUE
    }

    private final Kind kind;
    private final Place place;
    private final Place keyPlace;
    private final String written;
    private final JsonNode value;
    private final List<SourceNode> items;
    private final Map<String, SourceNode> fields;

    private SourceNode(
            Kind kind,
            Place place,
            Place keyPlace,
            String written,
            JsonNode value,
            List<SourceNode> items,
            Map<String, SourceNode> fields) {
        this.kind = kind;
        this.place = place;
        this.keyPlace = keyPlace;
        this.written = written;
        this.value = value;
        this.items = items;
        this.fields = fields;
    }

    /** Of what is no text, such as an object of the API server: its places have no lines, but characters of values. */
    public static SourceNode of(JsonNode json) {
        return of(json, Place.ofPath(""));
    }

    private static SourceNode of(JsonNode json, Place place) {
        if (json.isObject()) {
            Map<String, SourceNode> fields = new LinkedHashMap<>();
            json.properties()
                    .forEach(field -> fields.put(
                            field.getKey(), of(field.getValue(), Place.ofPath(place.field(field.getKey())))));
            return map(place, place, fields);
        }
        if (json.isArray()) {
            List<SourceNode> items = new ArrayList<>();
            for (JsonNode item : json) {
                items.add(of(item, Place.ofPath(place.path() + "[" + items.size() + "]")));
            }
            return list(place, place, items);
        }
        return value(place, place, json.asText(""), json);
    }

    /** @param fields are kept, in their order */
    static SourceNode map(Place place, Place keyPlace, Map<String, SourceNode> fields) {
        return new SourceNode(
                Kind.MAP, place, keyPlace, "", NullNode.getInstance(), List.of(), Collections.unmodifiableMap(fields));
    }

    static SourceNode list(Place place, Place keyPlace, List<SourceNode> items) {
        return new SourceNode(Kind.LIST, place, keyPlace, "", NullNode.getInstance(), List.copyOf(items), Map.of());
    }

    /** @param written as it stands in the document, with its quotes */
    static SourceNode value(Place place, Place keyPlace, String written, JsonNode value) {
        return new SourceNode(Kind.VALUE, place, keyPlace, written, value, List.of(), Map.of());
    }

    public boolean isMap() {
        return kind == Kind.MAP;
    }

    public boolean isList() {
        return kind == Kind.LIST;
    }

    public boolean isText() {
        return value.isTextual();
    }

    /** Of a value that is none, or of nothing after a colon. */
    public boolean isNull() {
        return kind == Kind.VALUE && value.isNull();
    }

    public Place place() {
        return place;
    }

    /** Of the name of the field that this is the value of; of the value itself if it is none's. */
    public Place keyPlace() {
        return keyPlace;
    }

    /** Of a value; null for what is a map or a list. */
    public JsonNode value() {
        return value;
    }

    /** Of a text; empty for what is none. */
    public String text() {
        return value.asText("");
    }

    public List<SourceNode> items() {
        return items;
    }

    /** In their order. */
    public Set<String> names() {
        return fields.keySet();
    }

    /** In their order. */
    public Collection<SourceNode> fields() {
        return fields.values();
    }

    /** In their order. */
    public Set<Map.Entry<String, SourceNode>> entries() {
        return fields.entrySet();
    }

    public Optional<SourceNode> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    /** The text of a field; empty when there is none, or another value. */
    public String text(String name) {
        SourceNode field = fields.get(name);
        return field == null || !field.isText() ? "" : field.text();
    }

    /** What stands at the end of names of fields, as far as there is something. */
    public @Nullable SourceNode at(String... names) {
        SourceNode node = this;
        for (String name : names) {
            node = node.fields.get(name);
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    /**
     * Where a part of a text stands: as exactly as it can be told, which is the text's own place where it is written
     * with escapes.
     *
     * @param part of the text
     * @param before how much of the text comes before it
     */
    public Place within(String part, int before) {
        if (part.isEmpty()) {
            return place;
        }
        boolean block = written.startsWith("|") || written.startsWith(">");
        int at = written.indexOf(part, block ? written.indexOf('\n') + 1 : 0);
        for (int i = text().indexOf(part); i >= 0 && i < before && at >= 0; i = text().indexOf(part, i + 1)) {
            at = written.indexOf(part, at + 1);
        }
        return at < 0 ? place : moved(written, at);
    }

    private Place moved(String text, int length) {
        if (!place.hasLine()) {
            return new Place(place.path(), 0, length + 1);
        }
        int lines = 0;
        int last = -1;
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) == '\n') {
                lines++;
                last = i;
            }
        }
        return new Place(place.path(), place.line() + lines, lines == 0 ? place.column() + length : length - last);
    }

    /** What it says, without places. */
    public JsonNode json() {
        return switch (kind) {
            case MAP -> {
                ObjectNode object = JsonNodeFactory.instance.objectNode();
                fields.forEach((name, field) -> object.set(name, field.json()));
                yield object;
            }
            case LIST -> {
                ArrayNode array = JsonNodeFactory.instance.arrayNode();
                items.forEach(item -> array.add(item.json()));
                yield array;
            }
            case VALUE -> value;
        };
    }

    /** What it is, as a message says it. */
    public String shown() {
        return switch (kind) {
            case MAP -> "a map";
            case LIST -> "a list";
            case VALUE -> value.isNull() ? "nothing" : Shown.of(value);
        };
    }
}
