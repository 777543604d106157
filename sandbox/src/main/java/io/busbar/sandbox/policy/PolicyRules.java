package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.storage.Metadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of policies and their bindings. Any thread. */
public final class PolicyRules extends BuiltInRules {

    public static final RulesFile RULES =
            RulesFile.beside(PolicyRules.class, Map.of(), Map.of("parameter", PolicyRules::parameter));

    public PolicyRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void check(Causes causes, ObjectNode object, @Nullable ObjectNode before, String subresource) {
        if (subresource.isEmpty()) {
            new PolicyCheck(causes, Metadata.of(object).name(), object.path("spec")).check(type().kind());
        }
    }

    /** What the columns of a binding show of its parameters. */
    private static String parameter(JsonNode reference) {
        String name = reference.has("selector") ? "*" : reference.path("name").asText("<unset>");
        return reference.path("namespace").asText("*") + "/" + name;
    }
}
