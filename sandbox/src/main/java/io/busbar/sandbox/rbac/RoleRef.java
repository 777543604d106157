package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.storage.GroupResource;

/**
 * Which role a binding grants.
 *
 * <p>Immutable.
 *
 * @param key without a namespace for a ClusterRole
 */
record RoleRef(String kind, ObjectKey key) {

    static final String GROUP = "rbac.authorization.k8s.io";
    static final GroupResource ROLES = new GroupResource(GROUP, "roles");
    static final GroupResource CLUSTER_ROLES = new GroupResource(GROUP, "clusterroles");

    /** @param namespace of the binding; empty for a ClusterRoleBinding */
    static RoleRef of(JsonNode binding, String namespace) {
        String name = binding.path("roleRef").path("name").asText();
        return binding.path("roleRef").path("kind").asText().equals("ClusterRole")
                ? new RoleRef("ClusterRole", ObjectKey.of(name))
                : new RoleRef("Role", new ObjectKey(namespace, name));
    }

    GroupResource resource() {
        return kind.equals("Role") ? ROLES : CLUSTER_ROLES;
    }

    /** As the API server names a role that is not there. */
    GroupResource singular() {
        return new GroupResource(GROUP, kind.equals("Role") ? "role" : "clusterrole");
    }
}
