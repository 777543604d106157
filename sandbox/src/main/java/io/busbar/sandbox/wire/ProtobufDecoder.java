package io.busbar.sandbox.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.model.Type;
import io.busbar.sandbox.model.WireMessages;
import io.busbar.sandbox.model.WireMessages.Field;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * Decodes {@code application/vnd.kubernetes.protobuf} into what the same object is in JSON.
 *
 * <p>As Go leaves out what is empty, so does this: a zero is kept only where it says something (a pointer in Go). Any
 * thread.
 */
public final class ProtobufDecoder {

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int DEEPEST = 64;
    private static final String SCHEMA = "apiextensions.v1.JSONSchemaProps";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private ProtobufDecoder() {}

    /**
     * @throws WireException when it is no object, or of a kind that is not known
     */
    public static ObjectNode decode(byte[] bytes) {
        if (bytes.length < MAGIC.length || !startsWithMagic(bytes)) {
            throw new WireException(
                    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
        }
        WireReader envelope = new WireReader(Arrays.copyOfRange(bytes, MAGIC.length, bytes.length));
        ObjectNode type = JsonNodeFactory.instance.objectNode();
        byte[] raw = new byte[0];
        for (int field = envelope.nextField(); field != 0; field = envelope.nextField()) {
            if (field == 1) {
                type = message(envelope, "wire.TypeMeta");
            } else if (field == 2) {
                raw = envelope.bytes();
            } else {
                envelope.skip();
            }
        }
        String apiVersion = type.path("apiVersion").asText();
        String kind = type.path("kind").asText();
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", kind).put("apiVersion", apiVersion);
        fill(object, new WireReader(raw), message(apiVersion, kind), 0);
        return object;
    }

    private static boolean startsWithMagic(byte[] bytes) {
        return Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    private static Map<Integer, Field> message(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String name = kind.equals("DeleteOptions")
                ? "meta.v1.DeleteOptions"
                : Type.nameOf(group, apiVersion.substring(slash + 1), kind);
        return Optional.ofNullable(WireMessages.fields(name))
                .orElseThrow(() -> new WireException(
                        "no kind \"" + kind + "\" is registered for version \"" + apiVersion + "\" in protobuf"));
    }

    private static void fill(ObjectNode object, WireReader reader, Map<Integer, Field> fields, int depth) {
        if (depth > DEEPEST) {
            throw new WireException("message is nested too deeply");
        }
        for (int number = reader.nextField(); number != 0; number = reader.nextField()) {
            Field field = fields.get(number);
            if (field == null) {
                reader.skip();
            } else if (field.inlined()) {
                fill(object, new WireReader(reader.bytes()), fieldsOf(field.type()), depth + 1);
            } else if (field.map()) {
                entry(object.withObjectProperty(field.name()), new WireReader(reader.bytes()), field, depth);
            } else if (field.repeated()) {
                array(object, field.name()).add(value(reader, field.type(), depth));
            } else {
                JsonNode value = value(reader, field.type(), depth);
                if (field.kept() || !isZero(value)) {
                    object.set(field.name(), value);
                }
            }
        }
    }

    private static void entry(ObjectNode map, WireReader reader, Field field, int depth) {
        String key = "";
        JsonNode value = zero(field.type());
        for (int part = reader.nextField(); part != 0; part = reader.nextField()) {
            if (part == 1) {
                key = reader.text();
            } else if (part == 2) {
                value = value(reader, field.type(), depth);
            } else {
                reader.skip();
            }
        }
        map.set(key, value);
    }

    private static JsonNode value(WireReader reader, String type, int depth) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (type) {
            case "s" -> nodes.textNode(reader.text());
            case "i", "l" -> number(reader.number());
            case "b" -> nodes.booleanNode(reader.number() != 0);
            case "d" -> nodes.numberNode(reader.real());
            case "y" -> nodes.textNode(Base64.getEncoder().encodeToString(reader.bytes()));
            case "Time" -> time(message(reader, "wire.Time"), false);
            case "MicroTime" -> time(message(reader, "wire.Time"), true);
            case "Quantity" ->
                nodes.textNode(message(reader, "wire.Quantity").path("string").asText());
            case "IntOrString" -> intOrString(message(reader, "wire.IntOrString"));
            case "Raw", "Json" -> raw(new WireReader(reader.bytes()));
            case "SchemaOrArray", "SchemaOrBool", "SchemaOrStrings" ->
                schemaOr(type, new WireReader(reader.bytes()), depth);
            case "Items" -> message(reader, "wire.Items").withArrayProperty("items");
            case "Duration" ->
                nodes.textNode(message(reader, "wire.Duration").path("duration").asLong() / 1e9 + "s");
            default -> {
                ObjectNode message = nodes.objectNode();
                fill(message, new WireReader(reader.bytes()), fieldsOf(type), depth + 1);
                yield message;
            }
        };
    }

    private static JsonNode zero(String type) {
        return switch (type) {
            case "s", "y", "Quantity" -> JsonNodeFactory.instance.textNode("");
            case "Items" -> JsonNodeFactory.instance.arrayNode();
            default -> JsonNodeFactory.instance.objectNode();
        };
    }

    /** As JSON is read: small numbers are ints. */
    private static JsonNode number(long value) {
        return value == (int) value
                ? JsonNodeFactory.instance.numberNode((int) value)
                : JsonNodeFactory.instance.numberNode(value);
    }

    /** One that only says what a value is. */
    private static ObjectNode message(WireReader reader, String type) {
        ObjectNode message = JsonNodeFactory.instance.objectNode();
        fill(message, new WireReader(reader.bytes()), fieldsOf(type), 0);
        return message;
    }

    private static JsonNode time(ObjectNode time, boolean micros) {
        if (time.isEmpty()) {
            return JsonNodeFactory.instance.nullNode();
        }
        Instant instant = Instant.ofEpochSecond(
                time.path("seconds").asLong(), micros ? time.path("nanos").asLong() : 0);
        return JsonNodeFactory.instance.textNode(micros ? MICROS.format(instant) : instant.toString());
    }

    private static JsonNode intOrString(ObjectNode value) {
        return value.path("type").asInt() == 0
                ? number(value.path("number").asLong())
                : JsonNodeFactory.instance.textNode(value.path("text").asText());
    }

    private static JsonNode raw(WireReader reader) {
        JsonNode node = JsonNodeFactory.instance.objectNode();
        for (int part = reader.nextField(); part != 0; part = reader.nextField()) {
            if (part == 1) {
                try {
                    node = JSON.readTree(reader.bytes());
                } catch (IOException e) {
                    throw new WireException("raw JSON is malformed");
                }
            } else {
                reader.skip();
            }
        }
        return node;
    }

    /** A schema, or what can stand in its place: a list of schemas, a list of texts, or whether anything goes. */
    private static JsonNode schemaOr(String type, WireReader reader, int depth) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        JsonNode value = type.equals("SchemaOrBool") ? JsonNodeFactory.instance.booleanNode(false) : list;
        for (int part = reader.nextField(); part != 0; part = reader.nextField()) {
            boolean schema = part == (type.equals("SchemaOrBool") ? 2 : 1);
            if (schema) {
                value = value(reader, SCHEMA, depth);
            } else if (type.equals("SchemaOrBool")) {
                boolean allowed = reader.number() != 0;
                value = value.isObject() ? value : JsonNodeFactory.instance.booleanNode(allowed);
            } else {
                list.add(type.equals("SchemaOrArray") ? value(reader, SCHEMA, depth) : value(reader, "s", depth));
            }
        }
        return value;
    }

    private static boolean isZero(JsonNode value) {
        return value.isNull()
                || (value.isTextual() && value.asText().isEmpty())
                || (value.isNumber() && value.asDouble() == 0)
                || (value.isBoolean() && !value.asBoolean());
    }

    private static Map<Integer, Field> fieldsOf(String type) {
        return Optional.ofNullable(WireMessages.fields(type))
                .orElseThrow(() -> new IllegalStateException("messages.txt names " + type + " and does not have it"));
    }

    private static ArrayNode array(ObjectNode object, String field) {
        return object.get(field) instanceof ArrayNode array ? array : object.putArray(field);
    }
}
