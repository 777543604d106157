package io.busbar.sandbox.priority;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.storage.Metadata;
import java.util.Map;

/**
 * The rules of PriorityClasses.
 *
 * <p>Immutable. The words of {@code pkg/apis/scheduling/validation}.
 */
public final class PriorityRules extends BuiltInRules {

    public static final RulesFile RULES = RulesFile.beside(PriorityRules.class, Map.of("value", PriorityRules::value));
    private static final int HIGHEST = 1_000_000_000;

    public PriorityRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void prepareNew(ObjectNode object) {
        Metadata.of(object).node().put("generation", 1);
    }

    @Override
    public String refusalOfDeletion(String name) {
        return SystemClasses.has(name) ? "this is a system priority class and cannot be deleted" : "";
    }

    private static void value(Place object) {
        String name = object.get("metadata").path("name").asText();
        Place value = object.field("value");
        if (object.updates()) {
            if (value.changed()) {
                value.forbidden("may not be changed in an update.");
            }
        } else if (name.startsWith(SystemClasses.PREFIX)) {
            String flaw = SystemClasses.flaw(
                    name, value.value().asInt(), object.get("globalDefault").asBoolean());
            if (!flaw.isEmpty()) {
                object.at("metadata.name")
                        .forbidden("priority class names with '" + SystemClasses.PREFIX
                                + "' prefix are reserved for system use only. error: " + flaw);
            }
        } else if (value.value().asInt() > HIGHEST) {
            value.forbidden("maximum allowed value of a user defined priority is " + HIGHEST);
        }
    }
}
