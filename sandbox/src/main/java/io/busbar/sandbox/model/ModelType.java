package io.busbar.sandbox.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.wire.WireMessages;
import io.busbar.sandbox.wire.WireMessages.Field;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The type of a built-in kind.
 *
 * <p>Immutable. A kind that is not known has any field.
 */
public final class ModelType {

    private static final Set<String> HEAD = Set.of("apiVersion", "kind");
    /** A type that is a kind of its own, and also part of another. */
    private static final String EMBEDDED = "core.v1.PersistentVolumeClaim";

    private static final String SCHEMA = "apiextensions.v1.JSONSchemaProps";

    private final String message;

    private ModelType(String message) {
        this.message = message;
    }

    public static ModelType of(ResourceType type) {
        return new ModelType(WireMessages.nameOf(type.group(), type.version(), type.kind()));
    }

    /** @throws StatusException 400 when a value is of another type than its field */
    public void check(ObjectNode object) {
        if (WireMessages.isKnown(message)) {
            new TypeCheck(object).check(message);
        }
    }

    /** Puts the zero value of its type in the place of each null in a list or a map. */
    public void fillNulls(ObjectNode object) {
        if (WireMessages.isKnown(message)) {
            ZeroValues.fill(object, message);
        }
    }

    /** Drops what the kind doesn't know, in place. */
    public void prune(ObjectNode object) {
        if (WireMessages.isKnown(message)) {
            new Walk(true, field -> {}).object(object, message, "", true);
        }
    }

    /** Paths of what {@link #prune} would drop. */
    public List<String> unknownFields(ObjectNode object) {
        List<String> unknown = new ArrayList<>();
        if (WireMessages.isKnown(message)) {
            new Walk(false, unknown::add).object(object, message, "", true);
        }
        return unknown;
    }

    /** Goes through an object beside its type; what has another type than it should is left to those who read it. */
    private record Walk(boolean removes, Consumer<String> unknown) {

        void object(ObjectNode object, String message, String path, boolean headed) {
            Map<String, Field> fields = WireMessages.named(message);
            Iterator<Map.Entry<String, JsonNode>> entries = object.properties().iterator();
            while (entries.hasNext()) {
                Map.Entry<String, JsonNode> entry = entries.next();
                Field field = fields.get(entry.getKey());
                String below = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
                if (field != null) {
                    field(entry.getValue(), field, below);
                } else if (!headed || !HEAD.contains(entry.getKey())) {
                    unknown.accept(below);
                    if (removes) {
                        entries.remove();
                    }
                }
            }
        }

        private void field(JsonNode value, Field field, String path) {
            if (field.repeated()) {
                for (int i = 0; value.isArray() && i < value.size(); i++) {
                    value(value.path(i), field.type(), path + "[" + i + "]");
                }
            } else if (field.map()) {
                value.properties().forEach(entry -> value(entry.getValue(), field.type(), path + "." + entry.getKey()));
            } else {
                value(value, field.type(), path);
            }
        }

        private void value(JsonNode value, String type, String path) {
            switch (type) {
                case "SchemaOrArray", "SchemaOrBool", "SchemaOrStrings" -> {
                    value(value, SCHEMA, path);
                    for (int i = 0; value.isArray() && i < value.size(); i++) {
                        value(value.path(i), SCHEMA, path + "[" + i + "]");
                    }
                }
                default -> {
                    if (value instanceof ObjectNode object && WireMessages.isKnown(type)) {
                        object(object, type, path, type.equals(EMBEDDED));
                    }
                }
            }
        }
    }
}
