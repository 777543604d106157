package io.busbar.blueprint.types;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.busbar.cel.GoValues;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON as Go has it: a number without a fraction is the same whether it is a double or not, and texts can stand in
 * HTML.
 *
 * <p>Any thread.
 */
public final class GoJson {

    /** Of values whose numbers are all doubles, as those that Go reads without knowing their types. */
    public static final JsonNodeFactory OF_DOUBLES = new Doubles();

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .characterEscapes(new Escapes())
            .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
            .build();

    /** Of names: that of their bytes. */
    private static final Comparator<String> ORDER =
            Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /** From here on doubles have an exponent. */
    private static final double LARGE = 1e21;

    private GoJson() {}

    private static final class Doubles extends JsonNodeFactory {

        private static final long serialVersionUID = 1;

        @Override
        public NumericNode numberNode(int number) {
            return numberNode((double) number);
        }

        @Override
        public NumericNode numberNode(long number) {
            return numberNode((double) number);
        }

        @Override
        public ValueNode numberNode(BigInteger number) {
            return numberNode(number.doubleValue());
        }
    }

    private static final class Escapes extends CharacterEscapes {

        private static final long serialVersionUID = 1;

        private final int[] ofAscii = standardAsciiEscapesForJSON();

        Escapes() {
            for (char escaped : new char[] {'<', '>', '&'}) {
                ofAscii[escaped] = ESCAPE_STANDARD;
            }
        }

        @Override
        public int[] getEscapeCodesForAscii() {
            return ofAscii.clone();
        }

        /** Two ends of lines that JavaScript has and JSON has not. */
        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            return character == 0x2028 || character == 0x2029
                    ? new SerializedString(String.format("\\u%04x", character))
                    : null;
        }
    }

    /**
     * With names in order.
     *
     * @throws IllegalArgumentException for a number that JSON does not have
     */
    public static String text(JsonNode value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            write(out, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator out, JsonNode value) throws IOException {
        if (value.isObject()) {
            Map<String, JsonNode> fields = new TreeMap<>(ORDER);
            value.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
            out.writeStartObject();
            for (Map.Entry<String, JsonNode> field : fields.entrySet()) {
                out.writeFieldName(field.getKey());
                write(out, field.getValue());
            }
            out.writeEndObject();
        } else if (value.isArray()) {
            out.writeStartArray();
            for (JsonNode item : value) {
                write(out, item);
            }
            out.writeEndArray();
        } else if (value.isDouble()) {
            if (!Double.isFinite(value.doubleValue())) {
                throw new IllegalArgumentException("json: unsupported value: " + GoValues.text(value.doubleValue()));
            }
            out.writeNumber(GoValues.json(value.doubleValue()));
        } else if (value.isNumber()) {
            out.writeNumber(value.bigIntegerValue());
        } else if (value.isTextual()) {
            out.writeString(value.textValue());
        } else if (value.isBoolean()) {
            out.writeBoolean(value.booleanValue());
        } else {
            out.writeNull();
        }
    }

    /**
     * Puts whole numbers in place of doubles that are whole, which a field of integers can hold.
     *
     * @param value is changed, where it is a map or a list
     * @return it, or the number in its place
     */
    public static JsonNode whole(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.properties().forEach(field -> field.setValue(whole(field.getValue())));
        }
        if (value instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, whole(array.get(i)));
            }
        }
        double number = value.doubleValue();
        if (!value.isDouble() || Math.rint(number) != number || Math.abs(number) >= LARGE) {
            return value;
        }
        BigInteger digits = new BigDecimal(GoValues.json(number)).toBigIntegerExact();
        return digits.bitLength() < Long.SIZE
                ? JsonNodeFactory.instance.numberNode(digits.longValue())
                : JsonNodeFactory.instance.numberNode(digits);
    }
}
