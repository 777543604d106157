package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.status.Causes;
import org.jspecify.annotations.Nullable;

/** The rules of roles and of what binds them, of the cluster or in a namespace. Any thread. */
public final class RbacRules extends BuiltInRules {

    public RbacRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void check(Causes causes, ObjectNode object, @Nullable ObjectNode before, String subresource) {
        if (type().kind().endsWith("Binding")) {
            RbacValidation.binding(causes, object, before, type().namespaced());
        } else {
            RbacValidation.role(causes, object, type().namespaced());
        }
    }
}
