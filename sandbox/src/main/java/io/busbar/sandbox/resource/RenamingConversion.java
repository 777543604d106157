package io.busbar.sandbox.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Immutable. What the conversion strategy {@code None} does. */
record RenamingConversion(String served, String stored) implements Conversion {

    @Override
    public ObjectNode toServed(ObjectNode object) {
        return renamed(object, served);
    }

    @Override
    public ObjectNode toStored(ObjectNode object) {
        return renamed(object, stored);
    }

    private static ObjectNode renamed(ObjectNode object, String apiVersion) {
        ObjectNode copy = object.objectNode();
        copy.setAll(object);
        return copy.put("apiVersion", apiVersion);
    }
}
