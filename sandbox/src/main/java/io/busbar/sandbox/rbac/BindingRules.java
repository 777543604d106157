package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.status.Causes;
import org.jspecify.annotations.Nullable;

/** The rules of RoleBindings and ClusterRoleBindings. Any thread. */
public final class BindingRules extends BuiltInRules {

    private static final String GROUP = "rbac.authorization.k8s.io";

    public BindingRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void check(Causes causes, ObjectNode binding, @Nullable ObjectNode before, String subresource) {
        RbacValidation.binding(causes, binding, before, type().namespaced());
    }
}
