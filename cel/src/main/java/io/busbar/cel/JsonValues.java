package io.busbar.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values of CEL as JSON: times as texts, and what JSON has no value for as null.
 *
 * <p>Any thread.
 */
public final class JsonValues {

    /** A value that leaves out the field, or the item, that it would be; alone it is a missing node. */
    public static final Object LEFT_OUT = new LeftOut();

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final class LeftOut {}

    /** More than an object in a cluster can have. */
    private static final long MOST_NODES = 100_000;

    private static final long MOST_CHARACTERS = 10_000_000;

    private final Function<Duration, String> durations;
    private final Function<Instant, String> times;
    private long nodes;
    private long characters;

    private JsonValues(Function<Duration, String> durations, Function<Instant, String> times) {
        this.durations = durations;
        this.times = times;
    }

    /**
     * Durations are in seconds, as the API server writes those that an expression comes to.
     *
     * <p>Ends the evaluation that it is a part of where the value is too large: a list that has another one several
     * times over takes no room, and its JSON may take more than there is.
     */
    public static JsonNode json(@Nullable Object value) {
        return new JsonValues(GoValues::seconds, GoValues::text).counted(value);
    }

    /** The same as an object in a cluster has them: {@code 1h30m0s}, and times in seconds. */
    public static JsonNode ofObject(@Nullable Object value) {
        return new JsonValues(GoValues::text, GoValues::textInSeconds).counted(value);
    }

    private JsonNode counted(@Nullable Object value) {
        nodes++;
        if (value instanceof String text) {
            characters += text.length();
        }
        if (nodes > MOST_NODES || characters > MOST_CHARACTERS) {
            throw new TooLong();
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = NODES.objectNode();
            map.forEach((key, field) -> {
                if (!(field instanceof LeftOut)) {
                    String name = name(map, String.valueOf(key));
                    characters += name.length();
                    object.set(name, counted(field));
                }
            });
            return object;
        }
        if (value instanceof List<?> list) {
            ArrayNode array = NODES.arrayNode();
            list.stream().filter(item -> !(item instanceof LeftOut)).forEach(item -> array.add(counted(item)));
            return array;
        }
        if (value instanceof LeftOut) {
            return NODES.missingNode();
        }
        if (value instanceof Optional<?> optional) {
            return counted(optional.orElse(null));
        }
        if (value instanceof Boolean flag) {
            return NODES.booleanNode(flag);
        }
        if (value instanceof Long number) {
            return NODES.numberNode(number);
        }
        if (value instanceof UnsignedLong number) {
            return NODES.numberNode(number.bigIntegerValue());
        }
        if (value instanceof Double number) {
            return NODES.numberNode(number);
        }
        if (value instanceof CelByteString bytes) {
            return NODES.textNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
        }
        if (value instanceof Instant time) {
            return NODES.textNode(times.apply(time));
        }
        if (value instanceof Duration duration) {
            return NODES.textNode(durations.apply(duration));
        }
        return value instanceof String text ? NODES.textNode(text) : NODES.nullNode();
    }

    /**
     * What an entry of a map is called in JSON: fields of objects are written as they can be, see {@link FieldNames}.
     */
    public static String name(Map<?, ?> holder, String key) {
        return holder instanceof FieldMap ? FieldNames.property(key) : key;
    }
}
