package io.busbar.sandbox.priority;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.storage.Metadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of PriorityClasses.
 *
 * <p>Immutable. The words of {@code pkg/apis/scheduling/validation}.
 */
public final class PriorityRules extends BuiltInRules {

    private static final int HIGHEST = 1_000_000_000;
    private static final String POLICY = "preemptionPolicy";
    private static final List<String> POLICIES = List.of("PreemptLowerPriority", "Never");

    public PriorityRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void prepareNew(ObjectNode object) {
        Metadata.of(object).node().put("generation", 1);
    }

    @Override
    protected void check(Causes causes, ObjectNode object, @Nullable ObjectNode before, String subresource) {
        if (before == null) {
            created(causes, object);
            return;
        }
        if (!object.path("value").equals(before.path("value"))) {
            causes.forbidden("value", "may not be changed in an update.");
        }
        if (!object.path(POLICY).equals(before.path(POLICY))) {
            causes.invalid(POLICY, object.path(POLICY), "field is immutable");
        }
    }

    private static void created(Causes causes, ObjectNode object) {
        String name = Metadata.of(object).name();
        int value = object.path("value").asInt();
        if (name.startsWith(SystemClasses.PREFIX)) {
            String flaw =
                    SystemClasses.flaw(name, value, object.path("globalDefault").asBoolean());
            if (!flaw.isEmpty()) {
                causes.forbidden(
                        "metadata.name",
                        "priority class names with '" + SystemClasses.PREFIX
                                + "' prefix are reserved for system use only. error: " + flaw);
            }
        } else if (value > HIGHEST) {
            causes.forbidden("value", "maximum allowed value of a user defined priority is " + HIGHEST);
        }
        if (!POLICIES.contains(object.path(POLICY).asText())) {
            causes.unsupported(POLICY, object.path(POLICY), POLICIES);
        }
    }
}
