package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.status.Causes;
import org.jspecify.annotations.Nullable;

/** The rules of Roles and ClusterRoles. Any thread. */
public final class RoleRules extends BuiltInRules {

    public RoleRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void check(Causes causes, ObjectNode role, @Nullable ObjectNode before, String subresource) {
        RbacValidation.role(causes, role, type().namespaced());
    }
}
