package io.busbar.manifests.rbac;

import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Makes roles of permissions.
 *
 * <p>Any thread. Rules come merged and sorted, so that equal permissions give equal roles.
 */
public final class Roles {

    private Roles() {}

    /** In the whole cluster. */
    public static ClusterRole clusterRole(String name, Collection<Permission> permissions) {
        return new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withRules(Rules.of(permissions))
                .build();
    }

    /** In one namespace. */
    public static Role role(String name, String namespace, Collection<Permission> permissions) {
        return new RoleBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withRules(Rules.of(permissions))
                .build();
    }

    /**
     * For those who may do one thing at paths of the operator's own, such as {@code get} at {@code /metrics}.
     *
     * @param verb as the API server has it: lower case
     */
    public static ClusterRole ofPaths(String name, String verb, Collection<String> paths) {
        return new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addNewRule()
                .withNonResourceURLs(List.copyOf(paths))
                .withVerbs(verb)
                .endRule()
                .build();
    }

    /** For people who work with a kind, from all rights to none but reading: {@code widget-admin-role} and so on. */
    public static List<ClusterRole> ofKind(ResourceType kind) {
        return List.of(
                ofKind(kind, "admin", "*"),
                ofKind(kind, "editor", "create", "delete", "get", "list", "patch", "update", "watch"),
                ofKind(kind, "viewer", "get", "list", "watch"));
    }

    private static ClusterRole ofKind(ResourceType kind, String audience, String... verbs) {
        return clusterRole(
                kind.kind().toLowerCase(Locale.ROOT) + "-" + audience + "-role",
                List.of(
                        Permission.of(kind.group(), List.of(kind.plural()), verbs),
                        Permission.of(kind.group(), List.of(kind.plural() + "/status"), "get")));
    }
}
