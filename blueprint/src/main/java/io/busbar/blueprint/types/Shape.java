package io.busbar.blueprint.types;

import com.google.common.base.Suppliers;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a value can be.
 *
 * <p>Immutable.
 */
public sealed interface Shape {

    /** In words, for messages: "a list of strings". */
    String words();

    /** A single value, or one of which nothing is known. */
    enum Scalar implements Shape {
        TEXT("a string"),
        /** In JSON a string of base64. */
        BYTES("bytes"),
        /** In JSON a string. */
        TIME("a time"),
        INTEGER("an integer"),
        NUMBER("a number"),
        BOOLEAN("a boolean"),
        INTEGER_OR_TEXT("an integer or a string"),
        QUANTITY("a quantity"),
        ANY("anything");

        private final String words;

        Scalar(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /** A list. */
    record ListOf(Shape items) implements Shape {

        @Override
        public String words() {
            return "a list, each item " + items.words();
        }
    }

    /** An object with any names of fields. */
    record MapOf(Shape values) implements Shape {

        @Override
        public String words() {
            return "a map, each value " + values.words();
        }
    }

    /** An object with known fields. Two of one name are the same. */
    final class ObjectOf implements Shape {

        private final String name;
        private final Supplier<Map<String, Shape>> fields;

        /** @param fields is asked once, when somebody asks for them: objects may hold objects of their own kind */
        public ObjectOf(String name, Supplier<Map<String, Shape>> fields) {
            this.name = name;
            this.fields = Suppliers.memoize(fields::get);
        }

        /** What CEL calls the type. */
        public String name() {
            return name;
        }

        public Map<String, Shape> fields() {
            return fields.get();
        }

        @Override
        public String words() {
            return "an object " + name.substring(name.lastIndexOf('.') + 1);
        }
    }
}
