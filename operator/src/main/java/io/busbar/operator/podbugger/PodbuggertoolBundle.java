package io.busbar.operator.podbugger;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.admission.WebhookPaths;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.Listers;
import io.busbar.manifests.OperatorPart;
import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** PodBuggerTool, whole: its controller and its webhook. Any thread. */
public final class PodbuggertoolBundle implements Bundle {

    @Override
    public String name() {
        return "podbugger";
    }

    @Override
    public OperatorPart part() {
        return PodbuggertoolPart.declaration();
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(PodbuggertoolController.declare(Clock.systemUTC()));
    }

    @Override
    public Map<String, AdmissionRule> webhooks(BundleContext context, Listers listers) {
        return Map.of(
                WebhookPaths.validating(ResourceType.of(Podbuggertool.class)),
                AdmissionRules.validating(Podbuggertool.class, new PodbuggertoolValidator()));
    }
}
