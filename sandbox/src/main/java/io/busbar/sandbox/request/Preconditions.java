package io.busbar.sandbox.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;

/**
 * Which object, in which version, a write is meant for.
 *
 * <p>Immutable.
 *
 * @param uid empty for any
 * @param resourceVersion empty for any
 */
public record Preconditions(String uid, String resourceVersion) {

    public static final Preconditions NONE = new Preconditions("", "");

    /** @throws StatusException 409 when another object is meant */
    public void check(Resource resource, ObjectNode object) {
        Metadata metadata = Metadata.of(object);
        GroupResource kind =
                new GroupResource(resource.type().group(), resource.type().kind());
        if (!uid.isEmpty() && !uid.equals(metadata.uid())) {
            throw StatusException.conflict(
                    kind,
                    metadata.name(),
                    "the UID in the precondition (" + uid + ") does not match the UID in record (" + metadata.uid()
                            + "). The object might have been deleted and then recreated");
        }
        if (!resourceVersion.isEmpty() && !resourceVersion.equals(metadata.resourceVersion())) {
            throw StatusException.conflict(
                    kind,
                    metadata.name(),
                    "the ResourceVersion in the precondition (" + resourceVersion
                            + ") does not match the ResourceVersion in record (" + metadata.resourceVersion()
                            + "). The object might have been modified");
        }
    }
}
