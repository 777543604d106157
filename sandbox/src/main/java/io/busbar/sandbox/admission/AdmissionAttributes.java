package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.verbs.Target;
import io.busbar.sandbox.verbs.WriteOptions;
import org.jspecify.annotations.Nullable;

/**
 * What webhooks are told of a request, beside the object.
 *
 * <p>Immutable.
 *
 * @param operation {@code CREATE}, {@code UPDATE}, {@code DELETE} or {@code CONNECT}
 * @param kind of the object in the request, such as {@code Scale} on a subresource
 * @param before in the request's version; null for a creation
 */
public record AdmissionAttributes(
        String operation,
        Target target,
        ObjectKind kind,
        WriteOptions options,
        @Nullable ObjectNode before) {

    /** A kind by group, version and name. */
    public record ObjectKind(String group, String version, String kind) {}
}
