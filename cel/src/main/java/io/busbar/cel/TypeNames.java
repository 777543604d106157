package io.busbar.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.util.Map;
import java.util.function.Function;

/**
 * Types as signatures and {@code types.txt} write them: {@code string}, {@code map(string,list(int))}; {@code T} stands
 * for any.
 *
 * <p>Any thread.
 */
public final class TypeNames {

    private static final Map<String, CelType> SIMPLE = Map.of(
            "string", SimpleType.STRING,
            "int", SimpleType.INT,
            "bool", SimpleType.BOOL,
            "double", SimpleType.DOUBLE,
            "bytes", SimpleType.BYTES,
            "timestamp", SimpleType.TIMESTAMP,
            "dyn", SimpleType.DYN,
            "T", TypeParamType.create("T"));

    private TypeNames() {}

    /** @param others what a name means that CEL itself does not know */
    public static CelType of(String text, Function<String, CelType> others) {
        int open = text.indexOf('(');
        if (open < 0) {
            CelType simple = SIMPLE.get(text);
            return simple == null ? others.apply(text) : simple;
        }
        String inner = text.substring(open + 1, text.length() - 1);
        return switch (text.substring(0, open)) {
            case "list" -> ListType.create(of(inner, others));
            case "optional" -> OptionalType.create(of(inner, others));
            case "map" -> MapType.create(SimpleType.STRING, of(inner.substring("string,".length()), others));
            default -> throw new IllegalArgumentException("no type of CEL: " + text);
        };
    }
}
