package io.busbar.sandbox.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.syntax.GoText;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the metadata of an object as Go's decoder reads ObjectMeta, which all kinds share, custom ones too: unknown
 * fields are dropped, nulls are absent or empty, and what is of another type is refused.
 *
 * <p>Any thread; the object passed in is altered.
 */
public final class TypedMetadata {

    private static final Set<String> TEXTS =
            Set.of("name", "generateName", "namespace", "uid", "resourceVersion", "selfLink");
    private static final Set<String> TIMES = Set.of("creationTimestamp", "deletionTimestamp");
    private static final Set<String> NUMBERS = Set.of("generation", "deletionGracePeriodSeconds");
    private static final Set<String> MAPS = Set.of("labels", "annotations");

    private final String kind;
    private final boolean custom;

    /** What is said before why it can't be read. */
    private final String refusal;

    private TypedMetadata(String kind, String version, boolean custom, String place) {
        this.kind = kind;
        this.custom = custom;
        this.refusal = "%s in version \"%s\" cannot be handled as a %s: %s".formatted(kind, version, kind, place);
    }

    /**
     * Leaves the object with metadata that everybody can rely on.
     *
     * @param custom whether it is a custom resource, of which the metadata is decoded by itself
     * @throws StatusException 400, in the real server's words
     */
    public static void decode(ResourceType type, boolean custom, ObjectNode object) {
        if (object.path("metadata").isNull() || !object.has("metadata")) {
            object.putObject("metadata");
        }
        new TypedMetadata(type.kind(), type.version(), custom, "").metadata(object);
    }

    /**
     * The same for one that is embedded in a custom resource.
     *
     * @param path where it is
     * @throws StatusException 400, in the real server's words
     */
    public static void decodeEmbedded(JsonNode holder, String path, ObjectNode resource) {
        String kind = holder.path("kind").asText();
        String version = holder.path("apiVersion").asText().replaceFirst(".*/", "");
        for (String field : List.of("apiVersion", "kind")) {
            if (resource.has(field) && !resource.path(field).isTextual()) {
                String shown = path + "." + field + ": Invalid value: " + GoText.badValue(resource.path(field)) + ": ";
                throw new TypedMetadata(kind, version, true, shown).cannotBeHandled("must be a string");
            }
        }
        JsonNode metadata = resource.path("metadata");
        if (!metadata.isMissingNode() && !metadata.isNull()) {
            String shown = path + ".metadata: Invalid value: " + GoText.inOrder(metadata) + ": ";
            new TypedMetadata(kind, version, true, shown).metadata(resource);
        }
    }

    private void metadata(ObjectNode object) {
        JsonNode node = object.path("metadata");
        if (!(node instanceof ObjectNode metadata)) {
            throw refused(node, custom ? "" : kind + ".metadata", "v1.ObjectMeta");
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
        return StatusException.badRequest(refusal + why);
    }
}
