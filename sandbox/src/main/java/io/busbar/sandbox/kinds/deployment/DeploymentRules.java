package io.busbar.sandbox.kinds.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.template.TemplateChecks;
import io.busbar.sandbox.kinds.template.WorkloadRules;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import java.util.List;
import java.util.Map;

/** The rules of Deployments. Any thread. */
public final class DeploymentRules extends WorkloadRules {

    public static final RulesFile RULES = RulesFile.beside(
            DeploymentRules.class,
            Map.of(
                    "deadline",
                    DeploymentRules::deadline,
                    "template",
                    spec -> TemplateChecks.check(spec, "deployment", "ReplicaSet"),
                    "strategy",
                    DeploymentRules::strategy,
                    "counts",
                    status -> TemplateChecks.counts(
                            status,
                            List.of("updatedReplicas", "readyReplicas", "availableReplicas"),
                            "readyReplicas")));

    public DeploymentRules(Facts facts) {
        super(facts);
    }

    /** Its annotations are copied to its ReplicaSets. */
    @Override
    protected boolean counts(ObjectNode object, ObjectNode before) {
        return !object.at("/metadata/annotations").equals(before.at("/metadata/annotations"));
    }

    private static void deadline(Place spec) {
        Place deadline = spec.field("progressDeadlineSeconds");
        if (!deadline.isBlank()
                && deadline.value().asLong() <= spec.get("minReadySeconds").asLong()) {
            deadline.invalid("must be greater than minReadySeconds");
        }
    }

    private static void strategy(Place strategy) {
        Place rolling = strategy.field("rollingUpdate");
        switch (strategy.text("type")) {
            case "Recreate" -> {
                if (!rolling.isBlank()) {
                    rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
                }
            }
            case "RollingUpdate" -> {
                if (isZero(rolling.get("maxUnavailable")) && isZero(rolling.get("maxSurge"))) {
                    rolling.field("maxUnavailable").invalid("may not be 0 when `maxSurge` is 0");
                }
            }
            default -> strategy.unsupported(List.of("Recreate", "RollingUpdate"));
        }
    }

    private static boolean isZero(JsonNode value) {
        return value.isNumber() ? value.asInt() == 0 : value.asText().equals("0%");
    }
}
