package io.busbar.sandbox.kinds.daemonset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.pod.PodDefaults;
import io.busbar.sandbox.kinds.pod.PodWarnings;
import io.busbar.sandbox.kinds.template.TemplateChecks;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of DaemonSets. Any thread. */
public final class DaemonSetRules extends BuiltInRules {

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

    @Override
    public List<String> warnings(ObjectNode object, @Nullable ObjectNode before) {
        return PodWarnings.ofTemplate(object, before);
    }

    @Override
    protected void fillDefaults(ObjectNode set) {
        ObjectNode spec = Fields.in(set, "spec");
        PodDefaults.template(Fields.in(spec, "template"));
        ObjectNode strategy = Fields.in(spec, "updateStrategy");
        Fields.text(strategy, "type", "RollingUpdate");
        if (strategy.path("type").asText().equals("RollingUpdate")) {
            ObjectNode rolling = Fields.in(strategy, "rollingUpdate");
            Fields.number(rolling, "maxUnavailable", 1);
            Fields.number(rolling, "maxSurge", 0);
        }
        Fields.number(spec, "revisionHistoryLimit", 10);
    }

    @Override
    protected ObjectNode initialStatus(ObjectNode set) {
        return super.initialStatus(set)
                .put("currentNumberScheduled", 0)
                .put("numberMisscheduled", 0)
                .put("desiredNumberScheduled", 0)
                .put("numberReady", 0);
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
