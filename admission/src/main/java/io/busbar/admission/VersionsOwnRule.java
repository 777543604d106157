package io.busbar.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision.Allowed;
import io.busbar.admission.AdmissionDecision.Denied;
import io.busbar.admission.AdmissionDecision.Patched;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Asks one rule about objects of one version, before another that is asked about all. Any thread, if the rules are. */
record VersionsOwnRule(String apiVersion, AdmissionRule ofVersion, AdmissionRule ofAll) implements AdmissionRule {

    @Override
    public AdmissionDecision review(AdmissionRequest request) {
        ObjectNode object = request.object();
        if (object == null || !object.path("apiVersion").asText().equals(apiVersion)) {
            return ofAll.review(request);
        }
        AdmissionDecision first = ofVersion.review(request);
        return first instanceof Denied ? first : joined(first, ofAll.review(request));
    }

    @Override
    public boolean isLong() {
        return ofVersion.isLong() || ofAll.isLong();
    }

    private static AdmissionDecision joined(AdmissionDecision first, AdmissionDecision second) {
        AdmissionDecision joined = warning(first.warnings(), second);
        for (Map.Entry<String, String> told : first.audit().values().entrySet()) {
            if (!second.audit().values().containsKey(told.getKey())) {
                joined = joined.audited(told.getKey(), told.getValue());
            }
        }
        return joined;
    }

    private static AdmissionDecision warning(List<String> more, AdmissionDecision decision) {
        List<String> warnings = new ArrayList<>(more);
        warnings.addAll(decision.warnings());
        if (decision instanceof Denied denied) {
            return new Denied(
                    denied.code(), denied.reason(), denied.message(), denied.causes(), warnings, denied.audit());
        }
        return decision instanceof Patched patched
                ? new Patched(patched.patch(), warnings, patched.audit())
                : new Allowed(warnings, decision.audit());
    }
}
