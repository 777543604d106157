package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Whether an object as stored already holds every field that is desired.
 *
 * <p>What is merged field by field, or element by element, may hold more than is desired: defaults, and what others put
 * there. What the API server takes as one value must be what is desired and nothing else, defaults of its schema aside.
 * Quantities compare by amount, numbers by value. When in doubt the answer is no: that costs one request, which the API
 * server finds to change nothing.
 *
 * <p>Immutable.
 */
final class Coverage {

    private Coverage() {}

    /**
     * Of two whole objects; their apiVersion and kind are taken to be the same.
     *
     * @param shape of their kind
     */
    static boolean covers(Shape shape, JsonNode current, JsonNode desired) {
        return desired.properties().stream()
                .filter(field ->
                        !field.getKey().equals("apiVersion") && !field.getKey().equals("kind"))
                .allMatch(field ->
                        covers(shape.field(field.getKey()), current.get(field.getKey()), field.getValue(), false));
    }

    /**
     * @param whole whether this is part of one value
     */
    private static boolean covers(Shape shape, @Nullable JsonNode current, JsonNode desired, boolean whole) {
        if (desired.isNull()) {
            return true;
        }
        if (current == null || current.isNull()) {
            return desired.isArray() && desired.isEmpty();
        }
        boolean one = whole || shape.merge() == Shape.Merge.WHOLE;
        if (desired.isObject()) {
            return current.isObject() && object(shape, current, desired, one);
        }
        if (desired.isArray()) {
            return current.isArray() && list(shape, current, desired, one);
        }
        return equalScalars(current, desired) || (shape.quantity() && equalAmounts(current, desired));
    }

    private static boolean object(Shape shape, JsonNode current, JsonNode desired, boolean whole) {
        return desired.properties().stream()
                        .allMatch(field -> covers(
                                shape.field(field.getKey()), current.get(field.getKey()), field.getValue(), whole))
                && (!whole
                        || current.properties().stream()
                                .allMatch(field -> desired.hasNonNull(field.getKey())
                                        || isStandard(shape.field(field.getKey()), field.getValue())));
    }

    /** Whether the API server fills this in by itself. */
    private static boolean isStandard(Shape shape, JsonNode value) {
        return value.isNull() || value.equals(shape.standard());
    }

    private static boolean list(Shape shape, JsonNode current, JsonNode desired, boolean whole) {
        if (!whole && shape.merge() == Shape.Merge.SET) {
            return elements(desired)
                    .allMatch(one -> elements(current).anyMatch(other -> covers(shape.item(), other, one, true)));
        }
        if (!whole && shape.merge() == Shape.Merge.KEYED) {
            return elements(desired)
                    .allMatch(one -> elements(current)
                            .anyMatch(other ->
                                    isSameElement(shape, one, other) && covers(shape.item(), other, one, false)));
        }
        return current.size() == desired.size()
                && IntStream.range(0, desired.size())
                        .allMatch(i -> covers(shape.item(), current.get(i), desired.get(i), true));
    }

    /** Whether two elements of a list that is merged by keys, or of a set, are one to the API server. */
    static boolean isSameElement(Shape list, JsonNode one, JsonNode other) {
        if (list.merge() == Shape.Merge.SET) {
            return equalScalars(one, other);
        }
        List<String> keys = list.keys();
        return !keys.isEmpty()
                && keys.stream().allMatch(key -> equalScalars(key(list, key, one), key(list, key, other)));
    }

    private static JsonNode key(Shape list, String key, JsonNode element) {
        JsonNode standard = list.item().field(key).standard();
        return element.hasNonNull(key) || standard == null ? element.path(key) : standard;
    }

    private static boolean equalScalars(JsonNode current, JsonNode desired) {
        return (current.isNumber() && desired.isNumber())
                ? current.decimalValue().compareTo(desired.decimalValue()) == 0
                : current.equals(desired);
    }

    private static boolean equalAmounts(JsonNode current, JsonNode desired) {
        try {
            return Quantity.getAmountInBytes(new Quantity(current.asText()))
                            .compareTo(Quantity.getAmountInBytes(new Quantity(desired.asText())))
                    == 0;
        } catch (IllegalArgumentException | ArithmeticException notQuantities) {
            return false;
        }
    }

    private static Stream<JsonNode> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}
