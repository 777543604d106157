package io.busbar.sandbox.kinds.lease;

import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.RulesFile;
import java.util.Map;

/** The rules of Leases. Any thread. */
public final class LeaseRules extends BuiltInRules {

    public static final RulesFile RULES = RulesFile.beside(LeaseRules.class, Map.of());

    public LeaseRules(Facts facts) {
        super(facts);
    }
}
