package io.busbar.blueprint.render;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/** What an instance's objects, and those that it reads, are like in a cluster. */
public interface Live {

    /** One of the instance's own. */
    Optional<JsonNode> applied(JsonNode object);

    /** One that is external. */
    Optional<JsonNode> external(JsonNode reference);

    /** Those that the selector of a reference finds. */
    List<JsonNode> selected(JsonNode reference);
}
