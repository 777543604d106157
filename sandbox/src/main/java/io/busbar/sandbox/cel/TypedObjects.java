package io.busbar.sandbox.cel;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import io.busbar.cel.FieldNames;
import io.busbar.cel.TypeNames;
import io.busbar.sandbox.model.Field;
import io.busbar.sandbox.model.Type;
import io.busbar.sandbox.syntax.TextFile;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The types of built-in kinds as CEL sees them, and those of what stands around an object. Any thread. */
final class TypedObjects {

    private static final Map<String, String> AROUND = TextFile.entries(TypedObjects.class, "types.txt");

    private TypedObjects() {}

    static Optional<CelType> find(String name) {
        String around = AROUND.get(name);
        return around == null
                ? Optional.ofNullable(Type.find(name)).map(TypedObjects::struct)
                : Optional.of(written(name, around));
    }

    private static CelType written(String name, String fields) {
        Map<String, CelType> types = new LinkedHashMap<>();
        for (String field : fields.split(" ", -1)) {
            int equals = field.indexOf('=');
            types.put(
                    field.substring(0, equals), TypeNames.of(field.substring(equals + 1), StructTypeReference::create));
        }
        return MadeObjects.struct(name, types);
    }

    private static CelType struct(Type type) {
        ImmutableMap.Builder<String, CelType> fields = ImmutableMap.builder();
        type.fields()
                .values()
                .forEach(field -> FieldNames.of(field.name()).ifPresent(name -> fields.put(name, type(field))));
        return MadeObjects.struct(type.name(), fields.build());
    }

    private static CelType type(Field field) {
        CelType one = one(field.type());
        return field.isList() ? ListType.create(one) : field.isMap() ? MapType.create(SimpleType.STRING, one) : one;
    }

    private static CelType one(String type) {
        return switch (type) {
            case "s", "Quantity" -> SimpleType.STRING;
            case "i", "l" -> SimpleType.INT;
            case "b" -> SimpleType.BOOL;
            case "d" -> SimpleType.DOUBLE;
            case "y" -> SimpleType.BYTES;
            case "Time", "MicroTime" -> SimpleType.TIMESTAMP;
            default -> known(Type.find(type));
        };
    }

    private static CelType known(@Nullable Type type) {
        return type == null || type.fields().isEmpty() ? SimpleType.DYN : StructTypeReference.create(type.name());
    }
}
