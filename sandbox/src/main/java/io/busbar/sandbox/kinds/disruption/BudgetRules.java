package io.busbar.sandbox.kinds.disruption;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import java.util.Map;

/** The rules of PodDisruptionBudgets. Any thread. */
public final class BudgetRules extends BuiltInRules {

    public static final RulesFile RULES = RulesFile.beside(BudgetRules.class, Map.of("one", BudgetRules::one));

    public BudgetRules(Facts facts) {
        super(facts);
    }

    @Override
    protected ObjectNode initialStatus(ObjectNode budget) {
        return super.initialStatus(budget)
                .put("disruptionsAllowed", 0)
                .put("currentHealthy", 0)
                .put("desiredHealthy", 0)
                .put("expectedPods", 0);
    }

    private static void one(Place spec) {
        if (spec.value().has("minAvailable") && spec.value().has("maxUnavailable")) {
            spec.invalid("minAvailable and maxUnavailable cannot be both set");
        }
    }
}
