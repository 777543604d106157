package io.busbar.operator.sidecarset.hash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads declarations of Go structs, a line each: {@code name: field field:type field:type! …}.
 *
 * <p>A field without a type is a string. {@code []t} is a list, <code>{}t</code> a map, {@code *t} a pointer, any other
 * type a struct of an earlier line. {@code !} stands for a field that has no {@code omitempty}; a struct that is no
 * pointer is never omitted. Fields of embedded structs stand in their place. An indented line continues the one before.
 *
 * <p>Immutable.
 */
final class GoDeclarations {

    private static final Map<String, GoType> SCALARS = Map.of(
            "string", GoType.Scalar.STRING,
            "int", GoType.Scalar.INT,
            "bool", GoType.Scalar.BOOL,
            "intOrString", GoType.Scalar.INT_OR_STRING,
            "quantity", GoType.Scalar.QUANTITY,
            "milliQuantity", GoType.Scalar.MILLI_QUANTITY);

    private final Map<String, GoType.Struct> structs = new HashMap<>();

    private GoDeclarations() {}

    /**
     * @throws IllegalArgumentException when a line names a type that no line before it declares
     */
    static GoDeclarations parse(String text) {
        GoDeclarations declarations = new GoDeclarations();
        text.replaceAll("\n\\s+", " ").lines().forEach(declarations::declare);
        return declarations;
    }

    GoType.Struct struct(String name) {
        GoType.Struct struct = structs.get(name);
        if (struct == null) {
            throw new IllegalArgumentException("no such Go type: '" + name + "'");
        }
        return struct;
    }

    private void declare(String line) {
        int colon = line.indexOf(": ");
        List<GoType.Field> fields = new ArrayList<>();
        for (String field : line.substring(colon + 2).trim().split("\\s+", -1)) {
            fields.add(field(field));
        }
        structs.put(line.substring(0, colon), new GoType.Struct(fields));
    }

    private GoType.Field field(String text) {
        boolean always = text.endsWith("!");
        String[] nameAndType = (always ? text.substring(0, text.length() - 1) : text).split(":", 2);
        return new GoType.Field(
                nameAndType[0], nameAndType.length == 1 ? GoType.Scalar.STRING : type(nameAndType[1]), always);
    }

    private GoType type(String text) {
        if (text.startsWith("*")) {
            return new GoType.Pointer(type(text.substring(1)));
        }
        if (text.startsWith("[]")) {
            return new GoType.ListOf(type(text.substring(2)));
        }
        if (text.startsWith("{}")) {
            return new GoType.MapOf(type(text.substring(2)));
        }
        GoType scalar = SCALARS.get(text);
        return scalar == null ? struct(text) : scalar;
    }
}
