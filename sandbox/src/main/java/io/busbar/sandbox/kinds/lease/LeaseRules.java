package io.busbar.sandbox.kinds.lease;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.RulesFile;
import java.util.List;
import java.util.Map;

/** The rules of Leases. Any thread. */
public final class LeaseRules extends BuiltInRules {

    private static final List<String> COORDINATED = List.of("strategy", "preferredHolder");

    public static final RulesFile RULES = RulesFile.beside(LeaseRules.class, Map.of());

    public LeaseRules(Facts facts) {
        super(facts);
    }

    /** Coordinated elections are an option that is off. */
    @Override
    protected void prepareNew(ObjectNode lease) {
        if (lease.path("spec") instanceof ObjectNode spec) {
            spec.remove(COORDINATED);
        }
    }

    @Override
    public void prepareForUpdate(ObjectNode lease, ObjectNode before, String subresource) {
        super.prepareForUpdate(lease, before, subresource);
        if (lease.path("spec") instanceof ObjectNode spec) {
            COORDINATED.stream()
                    .filter(field -> !before.path("spec").has(field))
                    .forEach(spec::remove);
        }
    }
}
