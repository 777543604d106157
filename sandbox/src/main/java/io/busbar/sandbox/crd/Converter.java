package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;

/**
 * What brings objects of a definition into another version: the strategy that it names.
 *
 * <p>One context.
 */
interface Converter {

    /** The strategy {@code None}: another apiVersion, the same fields. */
    Converter NONE = (objects, apiVersion) -> Future.succeededFuture(
            objects.stream().map(object -> renamed(object, apiVersion)).toList());

    /**
     * Copies in that version, one for each of the objects, in their order; fails with the words of the real server.
     *
     * @param objects shared, none of them in that version
     */
    Future<List<ObjectNode>> convert(List<ObjectNode> objects, String apiVersion);

    private static ObjectNode renamed(ObjectNode object, String apiVersion) {
        ObjectNode copy = object.objectNode();
        copy.setAll(object);
        return copy.put("apiVersion", apiVersion);
    }
}
