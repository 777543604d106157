package io.busbar.operator.mysqlcluster.version;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionDecision.Patched;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRequest.Operation;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import java.util.List;

/**
 * Makes text of a version that was written without quotes, and warns where digits may be lost. Writes into a new
 * cluster that names neither a version nor an image which one it gets: a later operator with another standard must not
 * upgrade its data. What cannot be a version is left for the validation. Any thread.
 */
public final class VersionRule implements AdmissionRule {

    private static final String WARNING =
            "spec.version: %s is read as \"%s\": quote spec.version, as YAML drops zeros at the end of a number";

    @Override
    public AdmissionDecision review(AdmissionRequest request) {
        ObjectNode object = request.object();
        if (object == null) {
            return AdmissionDecision.allowed();
        }
        JsonNode spec = object.path("spec");
        JsonNode given = spec.path("version");
        if (request.operation() == Operation.CREATE && isLeftOut(given) && isLeftOut(spec.path("image"))) {
            return spec.isObject() || isLeftOut(spec)
                    ? put(request, ServerVersion.OF_NEW_CLUSTERS)
                    : AdmissionDecision.allowed();
        }
        if (!given.isNumber() || given.decimalValue().signum() <= 0) {
            return AdmissionDecision.allowed();
        }
        ServerVersion version = ServerVersion.of(given.decimalValue());
        AdmissionDecision decision = put(request, version);
        return decision instanceof Patched patched && version.lostDigits()
                ? new Patched(patched.patch(), List.of(WARNING.formatted(given.asText(), version.text())))
                : decision;
    }

    private static AdmissionDecision put(AdmissionRequest request, ServerVersion version) {
        return AdmissionRules.changed(
                request, copy -> copy.withObjectProperty("spec").put("version", version.text()));
    }

    private static boolean isLeftOut(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }
}
