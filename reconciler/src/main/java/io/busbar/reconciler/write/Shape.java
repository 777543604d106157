package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the API server merges and compares the value at one place of a kind, as far as its schema says something out of
 * the ordinary.
 *
 * <p>Immutable once its document is read.
 *
 * @param merge as the place itself says; null where it does not: then an object is merged field by field, and a list is
 *     one value
 * @param keys that tell the elements of a {@link Merge#KEYED} list apart
 * @param fields of an object, but those of which nothing is to be said
 * @param values of a map
 * @param items of a list
 * @param reference the definition that says the rest, null for none
 * @param standard what the API server fills in; null for nothing
 * @param quantity whether values are amounts, such as {@code 1Gi}
 * @param document where references lead
 */
record Shape(
        @Nullable Merge merge,
        List<String> keys,
        Map<String, Shape> fields,
        @Nullable Shape values,
        @Nullable Shape items,
        @Nullable String reference,
        @Nullable JsonNode standard,
        boolean quantity,
        SchemaDocument document) {

    enum Merge {
        /** An object field by field. */
        FIELDS,
        /** An object or a list as one value. */
        WHOLE,
        /** A list of values, each by itself. */
        SET,
        /** A list of objects that are told apart by keys. */
        KEYED
    }

    /** Nothing out of the ordinary, nor below. */
    static final Shape PLAIN = new Shape(null, List.of(), Map.of(), null, null, null, null, false, SchemaDocument.NONE);

    boolean isPlain() {
        return merge == null
                && fields.isEmpty()
                && values == null
                && items == null
                && reference == null
                && standard == null
                && !quantity;
    }

    Shape field(String name) {
        Shape found = fields.getOrDefault(name, values == null ? PLAIN : values);
        return found.resolved();
    }

    Shape item() {
        return items == null ? PLAIN : items.resolved();
    }

    /** With what its reference says; what it says itself goes first. */
    Shape resolved() {
        if (reference == null) {
            return this;
        }
        Shape target = document.definition(reference).resolved();
        return new Shape(
                merge == null ? target.merge : merge,
                keys.isEmpty() ? target.keys : keys,
                target.fields,
                target.values,
                target.items,
                null,
                standard == null ? target.standard : standard,
                quantity || target.quantity,
                document);
    }
}
