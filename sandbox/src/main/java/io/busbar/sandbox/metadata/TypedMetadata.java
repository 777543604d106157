package io.busbar.sandbox.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.status.StatusException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the metadata of an object as Go's decoder reads ObjectMeta, which all kinds share, custom ones too: unknown fields are dropped,
 * nulls are absent or empty, and what is of another type is refused.
 *
 * <p>Any thread; the object passed in is altered.
 */
public final class TypedMetadata {

    private static final Set<String> TEXTS =
            Set.of("name", "generateName", "namespace", "uid", "resourceVersion", "selfLink");
    private static final Set<String> TIMES = Set.of("creationTimestamp", "deletionTimestamp");
    private static final Set<String> NUMBERS = Set.of("generation", "deletionGracePeriodSeconds");
    private static final Set<String> MAPS = Set.of("labels", "annotations");

    private final ResourceType type;
    private final boolean custom;

    private TypedMetadata(ResourceType type, boolean custom) {
        this.type = type;
        this.custom = custom;
    }

    /**
     * Leaves the object with metadata that everybody can rely on.
     *
     * @param custom whether it is a custom resource, of which the metadata is decoded by itself
     * @throws StatusException 400, in the real server's words
     */
    public static void decode(ResourceType type, boolean custom, ObjectNode object) {
        new TypedMetadata(type, custom).metadata(object);
    }

    private void metadata(ObjectNode object) {
        JsonNode node = object.path("metadata");
        if (node.isMissingNode() || node.isNull()) {
            object.putObject("metadata");
            return;
        }
        if (!(node instanceof ObjectNode metadata)) {
            throw refused(node, custom ? "" : type.kind() + ".metadata", "v1.ObjectMeta");
        }
        metadata.properties().removeIf(field -> {
            JsonNode value = field(field.getKey(), field.getValue());
            if (value != null) {
                field.setValue(value);
            }
            return value == null;
        });
    }

    /** @return null for a field that does not exist, or is as good as absent */
    private @Nullable JsonNode field(String name, JsonNode value) {
        String path = (custom ? "ObjectMeta." : "ObjectMeta.metadata.") + name;
        if (TIMES.contains(name)) {
            // A time that is null stays: the real server's own clients send it.
            return value.isNull() ? value : time(path, value);
        }
        if (value.isNull()) {
            return null;
        }
        if (TEXTS.contains(name)) {
            return text(path, value);
        }
        if (NUMBERS.contains(name)) {
            return check(value, value.canConvertToLong() && value.isIntegralNumber(), path, "int64");
        }
        if (MAPS.contains(name)) {
            return map(path, value);
        }
        return switch (name) {
            case "finalizers" -> texts(path, value);
            case "ownerReferences", "managedFields" -> objects(path, value, name.equals("managedFields"));
            default -> null;
        };
    }

    private JsonNode time(String path, JsonNode value) {
        text(path, value);
        try {
            OffsetDateTime.parse(value.asText());
            return value;
        } catch (DateTimeParseException e) {
            throw cannotBeHandled("parsing time \"" + value.asText()
                    + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"" + value.asText() + "\" as \"2006\"");
        }
    }

    private JsonNode map(String path, JsonNode value) {
        check(value, value.isObject(), path, "map[string]string");
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            entry.setValue(text(path, entry.getValue()));
        }
        return value;
    }

    private JsonNode texts(String path, JsonNode value) {
        ArrayNode array = (ArrayNode) check(value, value.isArray(), path, "[]string");
        for (int i = 0; i < array.size(); i++) {
            array.set(i, text(path, array.get(i)));
        }
        return array;
    }

    private JsonNode objects(String path, JsonNode value, boolean managed) {
        check(value, value.isArray(), path, managed ? "[]v1.ManagedFieldsEntry" : "[]v1.OwnerReference");
        for (JsonNode item : value) {
            check(item, item.isObject(), path, managed ? "v1.ManagedFieldsEntry" : "v1.OwnerReference");
            for (Map.Entry<String, JsonNode> field : item.properties()) {
                JsonNode content = field.getValue();
                switch (field.getKey()) {
                    case "controller", "blockOwnerDeletion" ->
                        check(content, content.isNull() || content.isBoolean(), path + "." + field.getKey(), "bool");
                    case "fieldsV1" ->
                        check(content, content.isNull() || content.isObject(), path + ".fieldsV1", "v1.FieldsV1");
                    default -> field.setValue(text(path + "." + field.getKey(), content));
                }
            }
        }
        return value;
    }

    private JsonNode text(String path, JsonNode value) {
        return value.isNull() ? TextNode.valueOf("") : check(value, value.isTextual(), path, "string");
    }

    private JsonNode check(JsonNode value, boolean fits, String path, String goType) {
        if (!fits) {
            throw refused(value, path, goType);
        }
        return value;
    }

    private StatusException refused(JsonNode value, String path, String goType) {
        String found = switch (value.getNodeType()) {
            case BOOLEAN -> "bool";
            case NUMBER -> "number";
            case STRING -> "string";
            case ARRAY -> "array";
            default -> "object";
        };
        return cannotBeHandled("json: cannot unmarshal " + found + " into Go "
                + (path.isEmpty() ? "value" : "struct field " + path) + " of type " + goType);
    }

    private StatusException cannotBeHandled(String why) {
        return StatusException.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
                + type.kind() + ": " + why);
    }
}
