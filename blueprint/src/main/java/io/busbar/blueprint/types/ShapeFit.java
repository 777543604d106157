package io.busbar.blueprint.types;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import io.busbar.blueprint.source.Shown;
import io.busbar.blueprint.types.Shape.ListOf;
import io.busbar.blueprint.types.Shape.MapOf;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether something fits where it is to go.
 *
 * <p>Any thread. An object fits another one when the other has all its fields, and each of them fits; what may be
 * anything fits everywhere. A whole number fits where a number is wanted, and an optional value where a value is.
 */
public final class ShapeFit {

    private static final Set<String> OPAQUE =
            Set.of("kubernetes.Quantity", "kubernetes.URL", "kubernetes.Semver", "net.IP", "net.CIDR");

    private final ShapeTypes types;

    /** @param types that those of expressions are of */
    public ShapeFit(ShapeTypes types) {
        this.types = types;
    }

    /** Whether values of a type fit. */
    public boolean fits(CelType found, Shape wanted) {
        return fits(found, wanted, new HashSet<>());
    }

    private boolean fits(CelType found, Shape wanted, Set<String> compared) {
        if (OPAQUE.contains(found.name()) || found.kind() == CelKind.TYPE) {
            return false;
        }
        if (found.name().equals("optional_type") && !found.parameters().isEmpty()) {
            return fits(found.parameters().get(0), wanted, compared);
        }
        boolean open = Set.of(CelKind.DYN, CelKind.ANY, CelKind.NULL_TYPE, CelKind.TYPE_PARAM)
                .contains(found.kind());
        if (open || wanted == Scalar.ANY) {
            return true;
        }
        if (wanted instanceof ListOf list) {
            return found instanceof ListType some && fits(some.elemType(), list.items(), compared);
        }
        if (found instanceof MapType map) {
            boolean texts =
                    map.keyType().kind() == CelKind.STRING || map.keyType().kind() == CelKind.DYN;
            return texts
                    && (wanted instanceof ObjectOf
                            || (wanted instanceof MapOf some && fits(map.valueType(), some.values(), compared)));
        }
        if (found.kind() == CelKind.STRUCT) {
            return types.shape(found) instanceof ObjectOf object && fits(object, wanted, compared);
        }
        return wanted instanceof Scalar scalar && fits(found.kind(), scalar);
    }

    private boolean fits(ObjectOf found, Shape wanted, Set<String> compared) {
        if (wanted instanceof MapOf map) {
            return found.fields().values().stream().allMatch(field -> fits(types.type(field), map.values(), compared));
        }
        if (!(wanted instanceof ObjectOf object)) {
            return false;
        }
        if (found.name().equals(object.name()) || !compared.add(found.name() + " " + object.name())) {
            return true;
        }
        return found.fields().entrySet().stream().allMatch(field -> {
            Shape its = object.fields().get(field.getKey());
            return its != null && fits(types.type(field.getValue()), its, compared);
        });
    }

    private static boolean fits(CelKind found, Scalar wanted) {
        boolean text = found == CelKind.STRING;
        boolean whole = found == CelKind.INT || found == CelKind.UINT;
        return switch (wanted) {
            case TEXT -> text || found == CelKind.TIMESTAMP || found == CelKind.DURATION;
            case BYTES -> text || found == CelKind.BYTES;
            case TIME -> text || found == CelKind.TIMESTAMP;
            case INTEGER -> whole;
            case NUMBER -> whole || found == CelKind.DOUBLE;
            case BOOLEAN -> found == CelKind.BOOL;
            case INTEGER_OR_TEXT -> text || whole;
            case QUANTITY -> text || whole || found == CelKind.DOUBLE;
            case ANY -> true;
        };
    }

    /** What a type is, in the words of shapes. */
    public String words(CelType type) {
        if (OPAQUE.contains(type.name())) {
            String name = type.name().substring(type.name().indexOf('.') + 1);
            return (name.equals("IP") ? "an " : "a ") + name + ", which is no value of JSON";
        }
        return switch (type.kind()) {
            case TIMESTAMP -> "a timestamp";
            case DURATION -> "a duration";
            case BYTES -> "bytes";
            case NULL_TYPE -> "null";
            default -> types.shape(type).words();
        };
    }

    /** What is wrong with a value itself; what is in it is not looked at. Empty when it fits. */
    public static Optional<String> flaw(JsonNode value, Shape wanted) {
        boolean fits = value.isNull()
                || (wanted instanceof ListOf
                        ? value.isArray()
                        : wanted instanceof Scalar scalar ? fits(value, scalar) : value.isObject());
        return fits ? Optional.empty() : Optional.of("must be " + wanted.words() + ", and is " + shown(value));
    }

    private static boolean fits(JsonNode value, Scalar wanted) {
        return switch (wanted) {
            case TEXT, BYTES, TIME -> value.isTextual();
            case INTEGER -> value.isIntegralNumber();
            case NUMBER -> value.isNumber();
            case BOOLEAN -> value.isBoolean();
            case INTEGER_OR_TEXT -> value.isTextual() || value.isIntegralNumber();
            case QUANTITY -> value.isTextual() || value.isNumber();
            case ANY -> true;
        };
    }

    /** The first thing that is wrong with a value or what is in it, with its path; empty when all fits. */
    public static Optional<String> deepFlaw(JsonNode value, Shape wanted, String path) {
        Optional<String> own = flaw(value, wanted);
        if (own.isPresent()) {
            return own.map(flaw -> (path.isEmpty() ? "" : path + " ") + flaw);
        }
        if (wanted instanceof ListOf list) {
            for (int i = 0; i < value.size(); i++) {
                Optional<String> flaw = deepFlaw(value.get(i), list.items(), path + "[" + i + "]");
                if (flaw.isPresent()) {
                    return flaw;
                }
            }
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String at = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            Shape its = wanted instanceof ObjectOf object
                    ? object.fields().get(field.getKey())
                    : wanted instanceof MapOf map ? map.values() : Scalar.ANY;
            Optional<String> flaw = its == null
                    ? Optional.of(at + " is an unknown field of " + wanted.words())
                    : its == Scalar.ANY ? Optional.empty() : deepFlaw(field.getValue(), its, at);
            if (flaw.isPresent()) {
                return flaw;
            }
        }
        return Optional.empty();
    }

    private static String shown(JsonNode value) {
        return value.isObject() ? "a map" : value.isArray() ? "a list" : Shown.of(value);
    }
}
