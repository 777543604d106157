package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.storage.Metadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of policies and their bindings. Any thread. */
public final class PolicyRules extends BuiltInRules {

    public PolicyRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void fillDefaults(ObjectNode object) {
        Fields.ifObject(object.get("spec"), spec -> {
            if (!type().kind().endsWith("Binding")) {
                Fields.text(spec, "failurePolicy", "Fail");
            }
            for (String field : List.of("matchConstraints", "matchResources")) {
                Fields.ifObject(spec.get(field), PolicyRules::fillMatching);
            }
        });
    }

    private static void fillMatching(ObjectNode resources) {
        Fields.text(resources, "matchPolicy", "Equivalent");
        Fields.in(resources, "namespaceSelector");
        Fields.in(resources, "objectSelector");
        for (String list : List.of("resourceRules", "excludeResourceRules")) {
            Fields.each(resources.path(list), rule -> Fields.text(rule, "scope", "*"));
        }
    }

    @Override
    protected void check(Causes causes, ObjectNode object, @Nullable ObjectNode before, String subresource) {
        if (subresource.isEmpty()) {
            new PolicyCheck(causes, Metadata.of(object).name(), object.path("spec")).check(type().kind());
        }
    }
}
