package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;

/**
 * Nothing is made in a namespace that isn't there or is about to go.
 *
 * <p>One context. What the admission plugin NamespaceLifecycle does.
 */
final class NamespaceGate {

    private static final GroupResource NAMESPACES = GroupResource.core("namespaces");

    private final MemoryStore store;

    NamespaceGate(MemoryStore store) {
        this.store = store;
    }

    void checkCreate(Target target, String name) {
        if (target.namespace().isEmpty()) {
            return;
        }
        ObjectNode namespace = store.shelf(NAMESPACES).get(ObjectKey.of(target.namespace()));
        if (namespace == null) {
            throw StatusException.notFound(NAMESPACES, target.namespace());
        }
        if (Metadata.of(namespace).deleting()) {
            throw StatusException.forbidden(
                    target.resource().named(),
                    name,
                    "unable to create new content in namespace " + target.namespace()
                            + " because it is being terminated",
                    new FieldCause(
                            "NamespaceTerminating",
                            "metadata.namespace",
                            "namespace " + target.namespace() + " is being terminated"));
        }
    }
}
