package io.busbar.operator.sidecarset.hash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A type of a Go program, as encoding/json sees it: what becomes of a JSON value that is read into it and written
 * again.
 *
 * <p>Immutable.
 */
sealed interface GoType {

    /**
     * @param value null or JSON null for absent
     * @param unknown what to do with fields that a struct does not have
     */
    JsonNode shaped(@Nullable JsonNode value, Unknown unknown);

    enum Unknown {
        DROPPED,
        KEPT
    }

    static boolean isAbsent(@Nullable JsonNode value) {
        return value == null || value.isNull();
    }

    /** What {@code omitempty} leaves out. */
    private static boolean isEmpty(JsonNode shaped) {
        return switch (shaped.getNodeType()) {
            case NULL -> true;
            case STRING -> shaped.textValue().isEmpty();
            case NUMBER -> shaped.decimalValue().signum() == 0;
            case BOOLEAN -> !shaped.booleanValue();
            default -> false;
        };
    }

    /** A value without parts, with its zero. */
    enum Scalar implements GoType {
        STRING,
        INT,
        BOOL,
        INT_OR_STRING,
        QUANTITY,
        /** Rounded up to thousandths, as core/v1's defaulting does to a list of resources. */
        MILLI_QUANTITY;

        @Override
        public JsonNode shaped(@Nullable JsonNode value, Unknown unknown) {
            if (value == null || value.isNull()) {
                return zero();
            }
            return switch (this) {
                case QUANTITY -> TextNode.valueOf(CanonicalQuantity.spelled(value.asText(), 9));
                case MILLI_QUANTITY -> TextNode.valueOf(CanonicalQuantity.spelled(value.asText(), 3));
                default -> value;
            };
        }

        private JsonNode zero() {
            return switch (this) {
                case STRING -> TextNode.valueOf("");
                case INT, INT_OR_STRING -> IntNode.valueOf(0);
                case BOOL -> BooleanNode.FALSE;
                case QUANTITY, MILLI_QUANTITY -> TextNode.valueOf("0");
            };
        }
    }

    /** An empty one is written as one that is absent. */
    record ListOf(GoType element) implements GoType {
        @Override
        public JsonNode shaped(@Nullable JsonNode value, Unknown unknown) {
            if (value == null || value.isEmpty()) {
                return NullNode.getInstance();
            }
            ArrayNode list = JsonNodeFactory.instance.arrayNode(value.size());
            value.forEach(item -> list.add(element.shaped(item, unknown)));
            return list;
        }
    }

    /** With string keys, sorted. */
    record MapOf(GoType element) implements GoType {
        @Override
        public JsonNode shaped(@Nullable JsonNode value, Unknown unknown) {
            if (value == null || value.isEmpty()) {
                return NullNode.getInstance();
            }
            TreeMap<String, JsonNode> sorted = new TreeMap<>();
            value.properties().forEach(entry -> sorted.put(entry.getKey(), element.shaped(entry.getValue(), unknown)));
            ObjectNode map = JsonNodeFactory.instance.objectNode();
            map.setAll(sorted);
            return map;
        }
    }

    /** A pointer: absent and empty differ. */
    record Pointer(GoType target) implements GoType {
        @Override
        public JsonNode shaped(@Nullable JsonNode value, Unknown unknown) {
            return isAbsent(value) ? NullNode.getInstance() : target.shaped(value, unknown);
        }
    }

    /** Fields in the order of their declaration, then those that are not declared. */
    record Struct(List<Field> fields) implements GoType {

        public Struct {
            fields = List.copyOf(fields);
        }

        @Override
        public ObjectNode shaped(@Nullable JsonNode value, Unknown unknown) {
            ObjectNode struct = JsonNodeFactory.instance.objectNode();
            for (Field field : fields) {
                JsonNode shaped = field.type().shaped(value == null ? null : value.get(field.name()), unknown);
                if (field.always() || !isOmitted(field, shaped)) {
                    struct.set(field.name(), shaped);
                }
            }
            if (value != null && unknown == Unknown.KEPT) {
                value.properties().stream()
                        .filter(entry ->
                                fields.stream().noneMatch(field -> field.name().equals(entry.getKey())))
                        .forEach(entry -> struct.set(entry.getKey(), entry.getValue()));
            }
            return struct;
        }

        private static boolean isOmitted(Field field, JsonNode shaped) {
            return field.type() instanceof Pointer ? shaped.isNull() : isEmpty(shaped);
        }
    }

    /**
     * @param always whether it is written even if empty: it has no {@code omitempty}
     */
    record Field(String name, GoType type, boolean always) {}
}
