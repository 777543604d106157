package io.busbar.sandbox.rbac;

import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import java.util.Map;
import java.util.stream.Stream;

/** The rules of roles and of what binds them, of the cluster or in a namespace. Any thread. */
public final class RbacRules {

    public static final RulesFile RULES =
            RulesFile.beside(RbacRules.class, Map.of("urls", RbacRules::urls, "namespace", RbacRules::namespace));

    private RbacRules() {}

    private static void urls(Place urls) {
        if (urls.isBlank()) {
            return;
        }
        if (urls.root().type().equals("rbac.v1.Role")) {
            urls.invalid("namespaced rules cannot apply to non-resource URLs");
        }
        Place rule = urls.parent();
        if (Stream.of("apiGroups", "resources", "resourceNames")
                .anyMatch(field -> !rule.field(field).isBlank())) {
            urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
        }
    }

    /** That of the binding, where it has one. */
    private static void namespace(Place namespace) {
        if (namespace.isBlank() && namespace.root().type().equals("rbac.v1.ClusterRoleBinding")) {
            namespace.required();
        }
    }
}
