package io.busbar.sandbox.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import io.busbar.cel.FieldMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What the expressions of mutations make: {@code Object}, {@code Object.spec} and so on, with any fields of any type,
 * and {@code JSONPatch}.
 *
 * <p>Immutable. A value knows its type, since it must be the one of the field that it is put into.
 */
final class MadeObjects {

    static final String ROOT = "Object";
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    /** For evaluation, which does not ask for fields. */
    static final CelTypeProvider TYPES = provider("", Map.of());

    private MadeObjects() {}

    /** An object that an expression has made. */
    static final class Made extends FieldMap {

        private static final long serialVersionUID = 1;

        private final String type;

        Made(String type, Map<String, Object> fields) {
            super(fields);
            this.type = type;
        }

        boolean isObject() {
            return type.startsWith(ROOT);
        }

        /** What is wrong with the types of the objects in it; empty when nothing is. */
        String flaw(String path) {
            if (!type.equals(path)) {
                return "unexpected type name \"" + type + "\", expected \"" + path
                        + "\", which matches field name path from root Object type";
            }
            return entrySet().stream()
                    .map(field -> flaw(field.getValue(), path + "." + field.getKey()))
                    .filter(flaw -> !flaw.isEmpty())
                    .findFirst()
                    .orElse("");
        }

        private static String flaw(Object value, String path) {
            if (value instanceof Made made) {
                return made.flaw(path);
            }
            if (value instanceof List<?> list) {
                return list.stream()
                        .map(item -> flaw(item, path))
                        .filter(flaw -> !flaw.isEmpty())
                        .findFirst()
                        .orElse("");
            }
            return "";
        }

        @Override
        public boolean equals(Object other) {
            return super.equals(other);
        }

        @Override
        public int hashCode() {
            return super.hashCode();
        }
    }

    static Optional<Object> make(String type, Map<String, Object> fields) {
        return Optional.of(new Made(type, fields));
    }

    static StructType struct(String name, Map<String, CelType> types) {
        ImmutableMap<String, CelType> fields = ImmutableMap.copyOf(types);
        return StructType.create(name, fields.keySet(), field -> Optional.ofNullable(fields.get(field)));
    }

    /**
     * The types that an expression may make, beside others.
     *
     * @param text whose words may be names of fields
     */
    static CelTypeProvider provider(String text, Map<String, StructType> others) {
        ImmutableSet<String> words =
                WORD.matcher(text).results().map(MatchResult::group).collect(ImmutableSet.toImmutableSet());
        ImmutableMap<String, StructType> known = ImmutableMap.copyOf(others);
        return new CelTypeProvider() {
            @Override
            public ImmutableCollection<CelType> types() {
                return ImmutableSet.copyOf(known.values());
            }

            @Override
            public Optional<CelType> findType(String name) {
                return name.equals(ROOT) || name.startsWith(ROOT + ".")
                        ? Optional.of(StructType.create(name, words, field -> Optional.of(SimpleType.DYN)))
                        : Optional.<CelType>ofNullable(known.get(name)).or(() -> TypedObjects.find(name));
            }
        };
    }
}
