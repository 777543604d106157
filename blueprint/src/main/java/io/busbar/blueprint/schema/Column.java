package io.busbar.blueprint.schema;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A column that {@code kubectl get} prints.
 *
 * <p>Immutable.
 */
record Column(String name, String type, String jsonPath) {

    ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", name)
                .put("type", type)
                .put("jsonPath", jsonPath);
    }
}
