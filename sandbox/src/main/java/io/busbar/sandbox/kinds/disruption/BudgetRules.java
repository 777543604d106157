package io.busbar.sandbox.kinds.disruption;

import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import java.util.Map;

/** The rules of PodDisruptionBudgets. Any thread. */
public final class BudgetRules {

    public static final RulesFile RULES = RulesFile.beside(BudgetRules.class, Map.of("one", BudgetRules::one));

    private BudgetRules() {}

    private static void one(Place spec) {
        if (spec.value().has("minAvailable") && spec.value().has("maxUnavailable")) {
            spec.invalid("minAvailable and maxUnavailable cannot be both set");
        }
    }
}
