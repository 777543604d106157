package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.schema.StructuralSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shape of the value at one place of a kind, as far as merging asks for it.
 *
 * <p>Implementations are immutable.
 */
public interface ListTopology {

    /** How a value is owned. */
    enum Form {
        /** An object field by field; a list as one. */
        GRANULAR,
        /** As one. */
        ATOMIC,
        /** A list of values, each owned by itself. */
        SET,
        /** A list of objects that are told apart by keys. */
        MAP
    }

    /** What a value has to be. */
    enum Value {
        ANY,
        TEXT,
        NUMBER,
        TRUTH,
        /** Any of the three. */
        SCALAR,
        OBJECT,
        LIST
    }

    /** Objects field by field, lists as one. */
    ListTopology PLAIN = new ListTopology() {};

    /** Of what no kind tells the form: maps of anything, lists as one. */
    ListTopology FREE = new ListTopology() {
        @Override
        public ListTopology field(String name) {
            return this;
        }

        @Override
        public boolean declares(String name) {
            return false;
        }

        @Override
        public ListTopology items() {
            return ONE;
        }
    };

    /** One value, whatever it is. */
    ListTopology ONE = new ListTopology() {
        @Override
        public Form form() {
            return Form.ATOMIC;
        }
    };

    default Form form() {
        return Form.GRANULAR;
    }

    /** For a field of an object. */
    default ListTopology field(String name) {
        return PLAIN;
    }

    /** Whether the kind declares the field, in contrast to an entry of a map. */
    default boolean declares(String name) {
        return true;
    }

    /** Whether there may be a field of that name at all. */
    default boolean takes(String name) {
        return true;
    }

    default Value value() {
        return Value.ANY;
    }

    /** For the items of a list. */
    default ListTopology items() {
        return PLAIN;
    }

    /** The keys that tell the items of a {@link Form#MAP} apart. */
    default List<String> keys() {
        return List.of();
    }

    /** What an item that lacks a key counts as having; null when it must have it. */
    default @Nullable JsonNode keyDefault(String key) {
        return null;
    }

    /** What an object of the kind holds before anything is written to it; nobody owns that. */
    default ObjectNode blank() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** The shape of a custom resource. */
    static ListTopology of(StructuralSchema schema, ListTopology metadata) {
        return new SchemaTopology(schema, metadata);
    }
}
