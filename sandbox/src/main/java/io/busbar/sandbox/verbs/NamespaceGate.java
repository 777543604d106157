package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import java.util.Set;

/**
 * Nothing is made in a namespace that isn't there or is about to go; the system's own are not deleted.
 *
 * <p>One context. The rules of the NamespaceLifecycle admission plugin.
 */
final class NamespaceGate {

    private static final GroupResource NAMESPACES = GroupResource.core("namespaces");
    private static final GroupResource PRIORITIES = new GroupResource("scheduling.k8s.io", "priorityclasses");
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

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

    void checkDelete(Target target) {
        if (target.resource().storage().equals(NAMESPACES) && IMMORTAL.contains(target.name())) {
            throw StatusException.forbidden(NAMESPACES, target.name(), "this namespace may not be deleted");
        }
        if (target.resource().storage().equals(PRIORITIES) && target.name().matches("system-(node|cluster)-critical")) {
            throw StatusException.forbidden(
                    PRIORITIES, target.name(), "this is a system priority class and cannot be deleted");
        }
    }
}
