package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.status.Causes;
import org.jspecify.annotations.Nullable;

/** The rules of RoleBindings and ClusterRoleBindings. Any thread. */
public final class BindingRules extends BuiltInRules {

    private static final String GROUP = "rbac.authorization.k8s.io";

    public BindingRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void fillDefaults(ObjectNode binding) {
        Fields.ifObject(binding.get("roleRef"), role -> Fields.text(role, "apiGroup", GROUP));
        Fields.each(binding.path("subjects"), subject -> {
            if (!subject.path("kind").asText().equals("ServiceAccount")) {
                Fields.text(subject, "apiGroup", GROUP);
            }
        });
    }

    @Override
    protected void check(Causes causes, ObjectNode binding, @Nullable ObjectNode before, String subresource) {
        RbacValidation.binding(causes, binding, before, type().namespaced());
    }
}
