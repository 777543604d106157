package io.busbar.runtime.management;

/** What the cluster says of a caller. Immutable. */
sealed interface Access {

    /** May have what it asks for. */
    record Granted() implements Access {}

    /** Nobody that the cluster knows. */
    record Unknown() implements Access {}

    /** Somebody who may not. */
    record Denied(String user) implements Access {}
}
