package io.busbar.sandbox.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.cel.Quantity;
import io.busbar.sandbox.syntax.GoTime;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds values that Go could not decode into the fields of a type, and says so in the words of its JSON decoder.
 *
 * <p>As there, the first value of a wrong type is told of, unless one after it that decodes itself, such as a time,
 * ends it all. One thread, for one object.
 */
final class TypeCheck {

    private static final Pattern LIKE_A_QUANTITY = Pattern.compile("[+-]?[0-9]+\\.?[0-9]*[eEinumkKMGTP]*[-+]?[0-9]*");

    private @Nullable String problem;
    private boolean ended;

    /** Null when all is well. */
    @Nullable
    String of(JsonNode object, Type type) {
        object(object, type, "");
        return problem;
    }

    /** A field as Go's decoder names it: the struct that has it, and the way there, without indices. */
    private record Place(String struct, String path) {}

    private void object(JsonNode object, Type type, String path) {
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            Field field = type.field(entry.getKey());
            if (field != null && !entry.getValue().isNull() && !ended) {
                String below = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
                field(entry.getValue(), field, new Place(afterDot(type.name()), below));
            }
        }
    }

    private void field(JsonNode value, Field field, Place place) {
        if (field.isList() && !value.isArray()) {
            refuse(value, "[]" + goType(field), place);
        } else if (field.isMap() && !value.isObject()) {
            refuse(value, field.type().equals("Quantity") ? "v1.ResourceList" : "map[string]" + goType(field), place);
        } else if (field.isList() || field.isMap()) {
            value.forEach(item -> value(item, field, place));
        } else {
            value(value, field, place);
        }
    }

    private void value(JsonNode value, Field field, Place place) {
        if (value.isNull() || ended) {
            return;
        }
        switch (field.type()) {
            case "s" -> require(value.isTextual(), value, field, place);
            case "y" -> {
                if (value.isTextual()) {
                    GoBase64.problem(value.textValue()).ifPresent(this::tell);
                } else {
                    refuse(value, "[]uint8", place);
                }
            }
            case "i" -> require(value.isIntegralNumber() && value.canConvertToInt(), value, field, place);
            case "l" -> require(value.isIntegralNumber() && value.canConvertToLong(), value, field, place);
            case "d" -> require(value.isNumber(), value, field, place);
            case "b" -> require(value.isBoolean(), value, field, place);
            case "ExtraValue" -> require(value.isArray(), value, field, place);
            case "Time", "MicroTime" -> time(value, field.type().equals("MicroTime"), place);
            case "Quantity" -> quantity(value).ifPresent(this::end);
            case "IntOrString" -> {
                if (!value.isTextual() && !(value.isIntegralNumber() && value.canConvertToInt())) {
                    refuse(value, "int32", place);
                    ended = true;
                }
            }
            default -> {
                Type type = Type.find(field.type());
                if (type != null) {
                    require(value.isObject(), value, field, place);
                    object(value, type, place.path());
                }
            }
        }
    }

    private void time(JsonNode value, boolean micro, Place place) {
        if (value.isTextual()) {
            GoTime.problem(value.textValue(), micro).ifPresent(this::end);
        } else {
            refuse(value, "string", place);
            ended = true;
        }
    }

    /** What the real server says of a text or number that is no quantity. */
    private static Optional<String> quantity(JsonNode value) {
        String text = value.isTextual() ? value.textValue().trim() : value.toString();
        if (Quantity.parse(text).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                LIKE_A_QUANTITY.matcher(text).matches()
                        ? "unable to parse quantity's suffix"
                        : "quantities must match the regular expression '" + Quantity.EXPRESSION + "'");
    }

    private void require(boolean fits, JsonNode value, Field field, Place place) {
        if (!fits) {
            refuse(value, goType(field), place);
        }
    }

    private void refuse(JsonNode value, String type, Place place) {
        String found = switch (value.getNodeType()) {
            case ARRAY -> "array";
            case BOOLEAN -> "bool";
            case NUMBER -> type.matches("(int|float)\\d+") ? "number " + value : "number";
            case OBJECT -> "object";
            default -> "string";
        };
        String words = "json: cannot unmarshal " + found + " into Go struct field " + place.struct() + "."
                + place.path() + " of type " + type;
        tell(words);
    }

    /** What Go calls the type of a field's value, of its items or of its values. */
    private static String goType(Field field) {
        return switch (field.type()) {
            case "s" -> "string";
            case "i" -> "int32";
            case "l" -> "int64";
            case "b" -> "bool";
            case "d" -> "float64";
            case "y" -> "[]uint8";
            case "Quantity" -> "resource.Quantity";
            case "IntOrString" -> "intstr.IntOrString";
            case "RawExtension" -> "runtime.RawExtension";
            default -> {
                String type = field.type();
                yield type.contains(".") ? type.substring(type.indexOf('.') + 1) : "v1." + type;
            }
        };
    }

    private void tell(String words) {
        problem = problem == null ? words : problem;
    }

    private void end(String words) {
        problem = words;
        ended = true;
    }

    static String afterDot(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
