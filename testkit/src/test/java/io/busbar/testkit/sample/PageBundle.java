package io.busbar.testkit.sample;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Webhook;
import java.util.List;

/** Pages, of which there may be nine copies at most. */
public final class PageBundle implements Bundle {

    public static final String WEBHOOK = "vpage.kb.io";

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(PageReconciler.controller());
    }

    @Override
    public List<Webhook> webhooks(BundleContext context) {
        return List.of(Webhook.validating(Page.class, new NineAtMost()));
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
