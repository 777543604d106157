package io.busbar.blueprint.types;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import io.busbar.blueprint.types.Shape.ListOf;
import io.busbar.blueprint.types.Shape.MapOf;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import io.busbar.cel.FieldNames;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The CEL types of shapes.
 *
 * <p>One thread while expressions are compiled.
 */
@SuppressWarnings("Immutable") // It only ever learns of more types.
public final class ShapeTypes implements CelTypeProvider {

    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    /** Begins the names of types, which expressions could otherwise read as variables with fields. */
    private static final String NO_WORD = "$";

    private static final Set<String> TOKENS = Set.of("true", "false", "null", "in");

    private final Map<String, ObjectOf> objects = new HashMap<>();
    private final Map<String, StructType> made = new HashMap<>();

    /**
     * What expressions call a field: as it is called, where CEL can read that, and else as Kubernetes writes it. Empty
     * for one that no expression can reach.
     */
    static Optional<String> name(String field) {
        return WORD.matcher(field).matches() && !TOKENS.contains(field) ? Optional.of(field) : FieldNames.of(field);
    }

    /** Of values of a shape, which is known from then on. */
    public CelType type(Shape shape) {
        if (shape instanceof ListOf list) {
            return ListType.create(type(list.items()));
        }
        if (shape instanceof MapOf map) {
            return MapType.create(SimpleType.STRING, type(map.values()));
        }
        if (shape instanceof ObjectOf object) {
            String name = NO_WORD + object.name();
            objects.putIfAbsent(name, object);
            return StructTypeReference.create(name);
        }
        return switch ((Scalar) shape) {
            case TEXT -> SimpleType.STRING;
            case BYTES -> SimpleType.BYTES;
            case TIME -> SimpleType.TIMESTAMP;
            case INTEGER -> SimpleType.INT;
            case NUMBER -> SimpleType.DOUBLE;
            case BOOLEAN -> SimpleType.BOOL;
            case INTEGER_OR_TEXT, QUANTITY, ANY -> SimpleType.DYN;
        };
    }

    /** A single value in an object can be compared with null, as it may not be there; times can be anyhow. */
    private CelType field(Shape shape) {
        CelType type = type(shape);
        return shape instanceof Scalar && shape != Scalar.TIME && !type.equals(SimpleType.DYN)
                ? NullableType.create(type)
                : type;
    }

    /** The shape of values of a type, as far as it has one. */
    public Shape shape(CelType type) {
        return switch (type.kind()) {
            case STRING, DURATION -> Scalar.TEXT;
            case BYTES -> Scalar.BYTES;
            case TIMESTAMP -> Scalar.TIME;
            case INT, UINT -> Scalar.INTEGER;
            case DOUBLE -> Scalar.NUMBER;
            case BOOL -> Scalar.BOOLEAN;
            case LIST -> new ListOf(shape(((ListType) type).elemType()));
            case MAP -> new MapOf(shape(((MapType) type).valueType()));
            case STRUCT -> {
                ObjectOf object = objects.get(type.name());
                yield object == null ? Scalar.ANY : object;
            }
            default ->
                type.name().equals("optional_type") && !type.parameters().isEmpty()
                        ? shape(type.parameters().get(0))
                        : Scalar.ANY;
        };
    }

    @Override
    public ImmutableCollection<CelType> types() {
        return ImmutableList.of();
    }

    @Override
    public Optional<CelType> findType(String name) {
        ObjectOf object = objects.get(name);
        if (object == null) {
            return Optional.empty();
        }
        StructType known = made.get(name);
        if (known == null) {
            ImmutableMap.Builder<String, CelType> types = ImmutableMap.builder();
            object.fields()
                    .forEach((field, shape) -> name(field).ifPresent(written -> types.put(written, field(shape))));
            ImmutableMap<String, CelType> fields = types.buildOrThrow();
            known = StructType.create(name, fields.keySet(), field -> Optional.ofNullable(fields.get(field)));
            made.put(name, known);
        }
        return Optional.of(known);
    }
}
