package io.busbar.sandbox.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.model.Type;
import io.busbar.sandbox.model.WireMessages;
import io.busbar.sandbox.model.WireMessages.Field;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Encodes objects of built-in kinds, lists of them and Statuses as {@code application/vnd.kubernetes.protobuf}: what
 * {@link ProtobufDecoder} reads.
 *
 * <p>Any thread. What JSON does not have is not written, nor what its message does not know.
 */
public final class ProtobufEncoder {

    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final String STATUS = "meta.v1.Status";
    private static final String SCHEMA = "apiextensions.v1.JSONSchemaProps";

    private ProtobufEncoder() {}

    /** Whether objects of a kind have this form. */
    public static boolean knows(String group, String version, String kind) {
        return WireMessages.isKnown(Type.nameOf(group, version, kind));
    }

    public static byte[] status(JsonNode status) {
        return enveloped("v1", "Status", message(status, STATUS));
    }

    /** @param object of a kind that is known */
    public static byte[] object(String group, String version, JsonNode object) {
        String kind = object.path("kind").asText();
        return enveloped(apiVersion(group, version), kind, message(object, Type.nameOf(group, version, kind)));
    }

    /** @param kind of the items, which is known */
    public static byte[] list(
            String group,
            String version,
            String kind,
            String listKind,
            JsonNode metadata,
            List<? extends JsonNode> items) {
        WireWriter list = new WireWriter().message(1, message(metadata, "meta.v1.ListMeta"));
        String name = Type.nameOf(group, version, kind);
        items.forEach(item -> list.message(2, message(item, name)));
        return enveloped(apiVersion(group, version), listKind, list);
    }

    private static String apiVersion(String group, String version) {
        return group.isEmpty() ? version : group + "/" + version;
    }

    private static byte[] enveloped(String apiVersion, String kind, WireWriter message) {
        WireWriter type = new WireWriter().text(1, apiVersion).text(2, kind);
        byte[] envelope = new WireWriter()
                .message(1, type)
                .message(2, message)
                .text(3, "")
                .text(4, "")
                .toBytes();
        byte[] bytes = new byte[MAGIC.length + envelope.length];
        System.arraycopy(MAGIC, 0, bytes, 0, MAGIC.length);
        System.arraycopy(envelope, 0, bytes, MAGIC.length, envelope.length);
        return bytes;
    }

    private static WireWriter message(JsonNode object, String name) {
        WireWriter writer = new WireWriter();
        Map<Integer, Field> fields =
                Objects.requireNonNull(WireMessages.fields(name), () -> "messages.txt does not have " + name);
        fields.forEach((number, field) -> write(writer, number, field, object));
        return writer;
    }

    private static void write(WireWriter writer, int number, Field field, JsonNode object) {
        if (field.inlined()) {
            writer.message(number, message(object, field.type()));
            return;
        }
        JsonNode value = object.path(field.name());
        if (field.map()) {
            value.properties().forEach(entry -> {
                WireWriter pair = new WireWriter().text(1, entry.getKey());
                writer.message(number, value(pair, 2, field.type(), entry.getValue()));
            });
        } else if (field.repeated()) {
            value.forEach(item -> value(writer, number, field.type(), item));
        } else if (!value.isMissingNode() && !value.isNull()) {
            value(writer, number, field.type(), value);
        }
    }

    private static WireWriter value(WireWriter writer, int number, String type, JsonNode value) {
        return switch (type) {
            case "s" -> writer.text(number, value.asText());
            case "i", "l" -> writer.number(number, value.asLong());
            case "b" -> writer.number(number, value.asBoolean() ? 1 : 0);
            case "d" -> writer.real(number, value.asDouble());
            case "y" -> writer.bytes(number, Base64.getDecoder().decode(value.asText()));
            case "Time", "MicroTime" -> writer.message(number, time(value.asText()));
            case "Quantity" -> writer.message(number, new WireWriter().text(1, value.asText()));
            case "Raw", "Json" ->
                writer.message(
                        number, new WireWriter().bytes(1, value.toString().getBytes(StandardCharsets.UTF_8)));
            case "IntOrString" ->
                writer.message(
                        number,
                        value.isTextual()
                                ? new WireWriter().number(1, 1).text(3, value.asText())
                                : new WireWriter().number(1, 0).number(2, value.asLong()));
            case "Items" -> {
                WireWriter items = new WireWriter();
                value.forEach(item -> items.text(1, item.asText()));
                yield writer.message(number, items);
            }
            case "Duration" -> writer.message(number, new WireWriter().number(1, nanoseconds(value.asText())));
            case "SchemaOrArray", "SchemaOrBool", "SchemaOrStrings" -> writer.message(number, schemaOr(type, value));
            default -> writer.message(number, message(value, type));
        };
    }

    private static WireWriter time(String text) {
        Instant instant = OffsetDateTime.parse(text).toInstant();
        return new WireWriter().number(1, instant.getEpochSecond()).number(2, instant.getNano());
    }

    /** As the decoder makes texts of them. */
    private static long nanoseconds(String text) {
        return Math.round(Double.parseDouble(text.substring(0, text.length() - 1)) * 1e9);
    }

    private static WireWriter schemaOr(String type, JsonNode value) {
        WireWriter writer = new WireWriter();
        if (type.equals("SchemaOrBool")) {
            writer.number(1, value.isObject() || value.asBoolean() ? 1 : 0);
            return value.isObject() ? writer.message(2, message(value, SCHEMA)) : writer;
        }
        if (value.isObject()) {
            return writer.message(1, message(value, SCHEMA));
        }
        value.forEach(item -> value(writer, 2, type.equals("SchemaOrArray") ? SCHEMA : "s", item));
        return writer;
    }
}
