package io.busbar.sandbox.kinds.daemonset;

import io.busbar.sandbox.kinds.template.TemplateChecks;
import io.busbar.sandbox.kinds.template.WorkloadRules;
import io.busbar.sandbox.rules.RulesFile;
import java.util.Map;

/** The rules of DaemonSets. Any thread. */
public final class DaemonSetRules extends WorkloadRules {

    public static final RulesFile RULES = RulesFile.beside(
            DaemonSetRules.class, Map.of("template", spec -> TemplateChecks.check(spec, "daemonset", "DaemonSet")));

    public DaemonSetRules(Facts facts) {
        super(facts);
    }
}
