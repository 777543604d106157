package io.busbar.sandbox.kinds.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.template.TemplateChecks;
import io.busbar.sandbox.kinds.template.WorkloadRules;
import io.busbar.sandbox.rules.RulesFile;
import java.util.Map;

/** The rules of Deployments. Any thread. */
public final class DeploymentRules extends WorkloadRules {

    public static final RulesFile RULES = RulesFile.beside(
            DeploymentRules.class, Map.of("template", spec -> TemplateChecks.check(spec, "deployment", "ReplicaSet")));

    public DeploymentRules(Facts facts) {
        super(facts);
    }

    /** Its annotations are copied to its ReplicaSets. */
    @Override
    protected boolean counts(ObjectNode object, ObjectNode before) {
        return !object.at("/metadata/annotations").equals(before.at("/metadata/annotations"));
    }
}
