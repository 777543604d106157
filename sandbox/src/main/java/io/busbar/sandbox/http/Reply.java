package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.verbs.Page;
import io.vertx.core.buffer.Buffer;

/**
 * An answer, before it is put in the form that the client accepts.
 *
 * <p>Immutable; nodes are shared.
 */
sealed interface Reply {

    int status();

    /** One object; may be wanted as a table or its metadata alone. */
    record OfObject(int status, Resource resource, ObjectNode object) implements Reply {}

    /** A list; may be wanted as a table or as metadata alone. */
    record OfPage(int status, Resource resource, Page page) implements Reply {}

    /** Anything else in JSON. */
    record OfNode(int status, JsonNode node) implements Reply {}

    /** What is no JSON. */
    record OfBytes(int status, String contentType, Buffer bytes) implements Reply {}

    static Reply text(int status, String text) {
        return new OfBytes(status, "text/plain; charset=utf-8", Buffer.buffer(text));
    }
}
