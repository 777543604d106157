package io.busbar.charts.render;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** What {@code lookup} finds in a cluster. */
@FunctionalInterface
public interface Lookups {

    /** Of no cluster. */
    Lookups NOTHING = asked -> Optional.empty();

    /** The object, or the list of objects; empty where there is none. */
    Optional<JsonNode> find(Lookup asked);

    /** Whether what was found is an object that the instance itself has made of its chart. */
    default boolean isOwn(JsonNode found) {
        return false;
    }
}
