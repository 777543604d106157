package com.example.webpage.webpage.v1;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import java.util.List;
import java.util.Locale;

/** Refuses pages without a title. Called on an event loop: no I/O. */
public final class WebPageValidator implements Validator<WebPage> {

    @Override
    public Verdict create(WebPage webPage, AdmissionRequest request) {
        String html = webPage.getSpec().html();
        return html.toLowerCase(Locale.ROOT).contains("<title>")
                ? Verdict.ok()
                : Verdict.of(List.of(FieldProblem.invalid("spec.html", html, "must have a <title>")));
    }

    @Override
    public Verdict update(WebPage before, WebPage after, AdmissionRequest request) {
        return create(after, request);
    }
}
