package io.busbar.operator.mysqlcluster.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionDecision.Patched;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import java.util.List;

/**
 * Makes text of a version that was written without quotes, and warns where digits may be lost. What cannot be a version is left for the
 * validation. Any thread.
 */
public final class VersionRule implements AdmissionRule {

    private static final String WARNING =
            "spec.version: %s is read as \"%s\": quote spec.version, as YAML drops zeros at the end of a number";

    @Override
    public AdmissionDecision review(AdmissionRequest request) {
        ObjectNode object = request.object();
        JsonNode given = object == null ? null : object.path("spec").path("version");
        if (given == null || !given.isNumber() || given.decimalValue().signum() <= 0) {
            return AdmissionDecision.allowed();
        }
        ServerVersion version = ServerVersion.of(given.decimalValue());
        AdmissionDecision decision = AdmissionRules.changed(
                request, copy -> copy.withObjectProperty("spec").put("version", version.text()));
        return decision instanceof Patched patched && version.lostDigits()
                ? new Patched(patched.patch(), List.of(WARNING.formatted(given.asText(), version.text())))
                : decision;
    }
}
