package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Numbers in a status. Any thread. */
public final class Counts {

    private Counts() {}

    /** Sets a number that is left out when it is zero. */
    public static void put(ObjectNode status, String field, int count) {
        if (count == 0) {
            status.remove(field);
        } else {
            status.put(field, count);
        }
    }
}
