package io.busbar.manifests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Roles;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import java.util.List;
import java.util.Map;

/**
 * The ServiceAccounts with whose rights controllers work, and what these may do. The operator knows them by their names,
 * so that they are in a folder of their own, where kustomize puts no prefix before these.
 *
 * <p>Any thread.
 */
final class Accounts {

    static final String FOLDER = "accounts";

    /** As all else that is installed has them. */
    static final String LABELS = """
            labels:
            - pairs:
                app.kubernetes.io/name: ${name}
                app.kubernetes.io/managed-by: kustomize
            """;

    private Accounts() {}

    static String file(String account) {
        return FOLDER + "/" + account + ".yaml";
    }

    /** An account, and its rights in all namespaces. */
    static List<HasMetadata> objects(Form form, String account, List<Permission> allowed) {
        String name = form.service() + "account-" + account;
        ClusterRole role = Roles.clusterRole(name + "-role", allowed);
        return List.of(
                new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(account)
                        .withNamespace(form.unchangedNamespace())
                        .endMetadata()
                        .build(),
                role,
                new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(name + "-rolebinding")
                        .endMetadata()
                        .withNewRoleRef(
                                "rbac.authorization.k8s.io",
                                role.getKind(),
                                role.getMetadata().getName())
                        .addNewSubject("", "ServiceAccount", account, form.unchangedNamespace())
                        .build());
    }

    /** Those of a tree, in an order in which they can be applied; none where it has none. */
    static List<ObjectNode> of(Map<String, String> files) {
        return files.containsKey(FOLDER + "/kustomization.yaml") ? Rendered.of(files, FOLDER) : List.of();
    }
}
