package io.busbar.sandbox.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field of a {@link Type}.
 *
 * <p>Immutable.
 *
 * @param type of the value, of a list's items or of a map's values: {@code s} a text, {@code i} and {@code l} integers
 *     of 32 and 64 bits, {@code b} a boolean, {@code d} a number, {@code y} bytes, a form such as {@code Time} or
 *     {@code Quantity}, else a type
 * @param required whether it has to be there
 * @param standard what it is when nothing is given, by the type alone: an empty object for a struct that is no pointer
 *     in Go; null for none. Not to be altered
 * @param allowed all the values that it may have; empty when any will do
 */
public record Field(
        String name,
        String type,
        Shape shape,
        boolean required,
        @Nullable JsonNode standard,
        List<String> allowed,
        Merging merging) {

    /** How many values a field holds. */
    public enum Shape {
        ONE,
        LIST,
        MAP
    }

    /**
     * How a list or an object merges.
     *
     * @param form for server-side apply: {@code atomic}, {@code granular}, {@code set}, {@code map}, empty when nothing
     *     is said
     * @param keys what tells the items of a list of form {@code map} apart
     * @param patchKey the field by which a strategic merge patch tells the items of a list apart; null for none
     * @param patchMerges whether a strategic merge patch merges a list
     * @param patchRetainsKeys whether fields are left out that such a patch does not name, by those who make patches
     * @param patchReplaces whether such a patch replaces an object
     */
    public record Merging(
            String form,
            List<String> keys,
            @Nullable String patchKey,
            boolean patchMerges,
            boolean patchRetainsKeys,
            boolean patchReplaces) {

        /** Nothing is said of it. */
        public static final Merging NONE = new Merging("", List.of(), null, false, false, false);
    }

    public boolean isList() {
        return shape == Shape.LIST;
    }

    public boolean isMap() {
        return shape == Shape.MAP;
    }

    /** Whether an object without this field counts as having an empty one. */
    public boolean isStruct() {
        return standard != null && standard.isObject();
    }
}
