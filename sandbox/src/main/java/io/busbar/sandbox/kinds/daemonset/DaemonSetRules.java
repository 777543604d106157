package io.busbar.sandbox.kinds.daemonset;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.kinds.template.TemplateChecks;
import io.busbar.sandbox.kinds.template.WorkloadRules;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import java.util.List;
import java.util.Map;

/** The rules of DaemonSets. Any thread. */
public final class DaemonSetRules extends WorkloadRules {

    public static final RulesFile RULES = RulesFile.beside(
            DaemonSetRules.class,
            Map.of(
                    "template",
                    spec -> TemplateChecks.check(spec, "daemonset", "DaemonSet"),
                    "strategy",
                    DaemonSetRules::strategy));

    public DaemonSetRules(Facts facts) {
        super(facts);
    }

    private static void strategy(Place strategy) {
        switch (strategy.text("type")) {
            case "OnDelete" -> {}
            case "RollingUpdate" -> {
                Place rolling = strategy.field("rollingUpdate");
                boolean unavailable = isSome(rolling.get("maxUnavailable"));
                boolean surge = isSome(rolling.get("maxSurge"));
                if (unavailable && surge) {
                    rolling.field("maxSurge").invalid("may not be set when maxUnavailable is non-zero");
                } else if (!unavailable && !surge) {
                    rolling.field("maxUnavailable").required("cannot be 0 when maxSurge is 0");
                }
            }
            default -> strategy.unsupported(List.of("RollingUpdate", "OnDelete"));
        }
    }

    private static boolean isSome(JsonNode amount) {
        return amount.isNumber()
                ? amount.asInt() != 0
                : !amount.asText("0%").matches("0*%|") && !amount.isMissingNode();
    }
}
