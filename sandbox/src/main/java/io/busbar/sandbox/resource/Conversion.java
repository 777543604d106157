package io.busbar.sandbox.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Turns objects between the version that is served and the version that is stored.
 *
 * <p>Immutable. Shared objects are never changed: a converted object is a copy, one that needs no conversion is returned as it is.
 */
public interface Conversion {

    /** Served as it is stored. */
    Conversion NONE = new Conversion() {
        @Override
        public ObjectNode toServed(ObjectNode stored) {
            return stored;
        }

        @Override
        public ObjectNode toStored(ObjectNode served) {
            return served;
        }
    };

    ObjectNode toServed(ObjectNode stored);

    ObjectNode toStored(ObjectNode served);

    /** Another apiVersion, the same fields. */
    static Conversion renaming(String served, String stored) {
        return served.equals(stored) ? NONE : new RenamingConversion(served, stored);
    }
}
