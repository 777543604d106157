package io.busbar.operator.sidecarset.hash;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Map;

/**
 * JSON in the spelling of Go's encoding/json: no spaces, {@code < > &} and the two Unicode line ends escaped.
 *
 * <p>Any thread.
 */
public final class GoJson {

    private static final String HEX = "0123456789abcdef";

    private GoJson() {}

    /** Fields come in the order of the tree. */
    public static String write(JsonNode tree) {
        StringBuilder out = new StringBuilder(1024);
        value(tree, out);
        return out.toString();
    }

    private static void value(JsonNode value, StringBuilder out) {
        switch (value.getNodeType()) {
            case OBJECT -> object(value, out);
            case ARRAY -> array(value, out);
            case STRING -> string(value.textValue(), out);
            default -> out.append(value.asText());
        }
    }

    private static void object(JsonNode object, StringBuilder out) {
        out.append('{');
        String separator = "";
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            out.append(separator);
            string(field.getKey(), out);
            out.append(':');
            value(field.getValue(), out);
            separator = ",";
        }
        out.append('}');
    }

    private static void array(JsonNode array, StringBuilder out) {
        out.append('[');
        for (Iterator<JsonNode> items = array.iterator(); items.hasNext(); ) {
            value(items.next(), out);
            if (items.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }

    private static void string(String text, StringBuilder out) {
        out.append('"');
        text.codePoints().forEach(character -> character(character, out));
        out.append('"');
    }

    private static void character(int c, StringBuilder out) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '<', '>', '&', '\u2028', '\u2029' -> escaped(c, out);
            default -> {
                if (c < ' ') {
                    escaped(c, out);
                } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                    out.append('\ufffd'); // half of a pair: no Go string holds it
                } else {
                    out.appendCodePoint(c);
                }
            }
        }
    }

    private static void escaped(int c, StringBuilder out) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX.charAt(c >> shift & 0xf));
        }
    }
}
