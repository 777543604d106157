package io.busbar.testkit.sample;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.admission.WebhookPaths;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.Listers;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import java.util.List;
import java.util.Map;

/** Pages, of which there may be nine copies at most. */
public final class PageBundle implements Bundle {

    public static final String WEBHOOK = "vpage.example.com";

    private static final ResourceType TYPE = ResourceType.of(Page.class);

    @Override
    public String name() {
        return "page";
    }

    @Override
    public OperatorPart part() {
        return new OperatorPart(
                List.of(Page.class),
                List.of(),
                List.of(),
                List.of(WebhookManifest.validating(WEBHOOK, TYPE, Operation.CREATE, Operation.UPDATE)),
                List.of());
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(PageReconciler.controller());
    }

    @Override
    public Map<String, AdmissionRule> webhooks(BundleContext context, Listers listers) {
        return Map.of(WebhookPaths.validating(TYPE), AdmissionRules.validating(Page.class, new NineAtMost()));
    }

    private static final class NineAtMost implements Validator<Page> {

        @Override
        public Verdict create(Page page, AdmissionRequest request) {
            int copies = page.getSpec().copies();
            return copies <= 9
                    ? Verdict.ok()
                    : Verdict.of(List.of(FieldProblem.invalid("spec.copies", copies, "must be 9 or less")));
        }

        @Override
        public Verdict update(Page before, Page after, AdmissionRequest request) {
            return create(after, request);
        }
    }
}
