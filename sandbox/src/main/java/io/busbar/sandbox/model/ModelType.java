package io.busbar.sandbox.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.patch.MergeKeys;
import io.busbar.sandbox.status.StatusException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The decoding of a built-in kind, as Go decodes JSON into its type.
 *
 * <p>Immutable. A kind that is not known has any field.
 */
public final class ModelType {

    /** So many unknown fields are told of. */
    private static final int MOST_TOLD = 100;

    private static final String SCHEMA = "apiextensions.v1.JSONSchemaProps";

    private final ResourceType kind;

    private ModelType(ResourceType kind) {
        this.kind = kind;
    }

    public static ModelType of(ResourceType type) {
        return new ModelType(type);
    }

    private @Nullable Type type() {
        return Type.find(kind.group(), kind.version(), kind.kind());
    }

    /** The shape of the kind's objects, for server-side apply. */
    public ListTopology topology() {
        Type type = type();
        return type == null ? ListTopology.PLAIN : new ModelTopology(type);
    }

    /** The same for strategic merge patches. */
    public MergeKeys mergeKeys() {
        Type type = type();
        return type == null ? MergeKeys.NONE : new ModelTopology(type);
    }

    /** The shape of any object's metadata. */
    public static ListTopology metadata() {
        return new ModelTopology(Objects.requireNonNull(Type.find(Type.OBJECT_META)));
    }

    /** @throws StatusException 400 when a value is of another type than its field */
    public void check(ObjectNode object) {
        String problem = problem(object);
        if (problem != null) {
            throw StatusException.badRequest(kind.kind() + " in version \"" + kind.version()
                    + "\" cannot be handled as a " + kind.kind() + ": " + problem);
        }
    }

    /**
     * What Go's decoder says of a value that is of another type than its field; null when all are as they should be.
     */
    public @Nullable String problem(ObjectNode object) {
        Type type = type();
        return type == null ? null : new TypeCheck().of(object, type);
    }

    /** Puts the zero value of its type in the place of each null in a list or a map. */
    public void fillNulls(ObjectNode object) {
        Type type = type();
        if (type != null) {
            ZeroValues.fill(object, type);
        }
    }

    /** Drops what the kind doesn't know, and what is as good as nothing, in place. */
    public void prune(ObjectNode object) {
        Type type = type();
        if (type != null) {
            new Walk(true, field -> {}).object(object, type, Path.ROOT);
        }
    }

    /** Paths of what no object has in its metadata. */
    public static List<String> unknownMetadata(ObjectNode object) {
        Set<String> unknown = new LinkedHashSet<>();
        Type type = Type.find(Type.OBJECT_META);
        if (type != null && object.path("metadata") instanceof ObjectNode metadata) {
            new Walk(false, unknown::add).object(metadata, type, Path.ROOT.field("metadata"));
        }
        return List.copyOf(unknown);
    }

    /** Paths of what {@link #prune} would drop, as a strict decoder tells of them: the first hundred, each once. */
    public List<String> unknownFields(ObjectNode object) {
        Set<String> unknown = new LinkedHashSet<>();
        Type type = type();
        if (type != null) {
            new Walk(false, unknown::add).object(object, type, Path.ROOT);
        }
        return unknown.stream().limit(MOST_TOLD).toList();
    }

    /** Where a value stands. Its text is made for the few that are told of, not for each that is passed. */
    private record Path(@Nullable Path above, String step) {

        static final Path ROOT = new Path(null, "");

        Path field(String name) {
            return new Path(this, name);
        }

        @Override
        public String toString() {
            String before = above == null ? "" : above.toString();
            return before.isEmpty() || step.startsWith("[") ? before + step : before + "." + step;
        }
    }

    /** Goes through an object beside its type; what has another type than it should is left to those who read it. */
    private record Walk(boolean removes, Consumer<String> unknown) {

        void object(ObjectNode object, Type type, Path path) {
            Iterator<Map.Entry<String, JsonNode>> entries = object.properties().iterator();
            while (entries.hasNext()) {
                Map.Entry<String, JsonNode> entry = entries.next();
                Field field = type.field(entry.getKey());
                Path below = path.field(entry.getKey());
                if (field != null && removes && isLeftOut(entry.getValue(), type, field)) {
                    entries.remove();
                } else if (field != null) {
                    field(entry.getValue(), field, below);
                } else {
                    unknown.accept(below.toString());
                    if (removes) {
                        entries.remove();
                    }
                }
            }
        }

        /** Whether Go's encoder leaves a value out, as it does with a zero that is no pointer's. */
        private static boolean isLeftOut(JsonNode value, Type type, Field field) {
            boolean zero = value.isTextual()
                    ? value.textValue().isEmpty()
                    : value.isBoolean() ? !value.booleanValue() : value.isIntegralNumber() && value.asLong() == 0;
            if (!zero || field.shape() != Field.Shape.ONE) {
                return false;
            }
            WireMessages.Field wire = WireMessages.named(type.name()).get(field.name());
            return wire != null && !wire.kept() && !field.required() && "sbil".contains(wire.type());
        }

        private void field(JsonNode value, Field field, Path path) {
            switch (field.shape()) {
                case LIST -> items(value, field.type(), path);
                case MAP ->
                    value.properties()
                            .forEach(entry -> value(entry.getValue(), field.type(), path.field(entry.getKey())));
                case ONE -> value(value, field.type(), path);
            }
        }

        private void items(JsonNode value, String type, Path path) {
            for (int i = 0; value.isArray() && i < value.size(); i++) {
                value(value.path(i), type, new Path(path, "[" + i + "]"));
            }
        }

        private void value(JsonNode value, String type, Path path) {
            switch (type) {
                // They decode themselves, and not strictly.
                case "JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray" -> {
                    if (removes) {
                        value(value, SCHEMA, path);
                        items(value, SCHEMA, path);
                    }
                }
                default -> {
                    Type known = Type.find(type);
                    if (known != null && value instanceof ObjectNode object) {
                        object(object, known, path);
                    }
                }
            }
        }
    }
}
