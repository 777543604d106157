package io.busbar.operator.mysqlcluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionDecision.Patched;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRequest.Operation;
import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.operator.mysqlcluster.version.ServerVersion;
import java.util.List;
import java.util.Optional;

/**
 * Makes text of a version that was written without quotes, and warns where digits may be lost. Writes into a new
 * cluster what a later operator with another standard must not change, as that would upgrade its data, or restart its
 * members: which version it gets, where it names neither a version nor an image, and how its members are spread, where
 * it says nothing of that. What cannot be right is left for the validation. Any thread.
 */
public final class MySQLClusterDefaults implements AdmissionRule {

    private static final String WARNING =
            "spec.version: %s is read as \"%s\": quote spec.version, as YAML drops zeros at the end of a number";

    private static final String CONSTRAINTS = "topologySpreadConstraints";

    /** Where no two members should be, as long as there is a choice. */
    private static final List<String> APART = List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone");

    @Override
    public AdmissionDecision review(AdmissionRequest request) {
        ObjectNode object = request.object();
        if (object == null || !(object.path("spec").isObject() || isLeftOut(object.path("spec")))) {
            return AdmissionDecision.allowed();
        }
        JsonNode given = object.path("spec").path("version");
        Optional<ServerVersion> number =
                given.isNumber() && given.decimalValue().signum() > 0
                        ? Optional.of(ServerVersion.of(given.decimalValue()))
                        : Optional.empty();
        AdmissionDecision decision = AdmissionRules.changed(request, copy -> {
            if (request.operation() == Operation.CREATE) {
                choose(copy);
            }
            number.ifPresent(version -> putVersion(copy, version));
        });
        return number.filter(ServerVersion::lostDigits)
                .filter(version -> decision instanceof Patched)
                .<AdmissionDecision>map(version -> new Patched(
                        ((Patched) decision).patch(), List.of(WARNING.formatted(given.asText(), version.text()))))
                .orElse(decision);
    }

    /** What a new cluster says nothing of. */
    private static void choose(ObjectNode cluster) {
        JsonNode spec = cluster.path("spec");
        if (isLeftOut(spec.path("version")) && isLeftOut(spec.path("image"))) {
            putVersion(cluster, ServerVersion.OF_NEW_CLUSTERS);
        }
        JsonNode template = spec.path("podTemplate");
        if (isLeftOut(template)
                || (template.isObject()
                        && isLeftOut(template.path("affinity"))
                        && isLeftOut(template.path(CONSTRAINTS)))) {
            spread(cluster.withObjectProperty("spec").withObjectProperty("podTemplate"));
        }
    }

    private static void putVersion(ObjectNode cluster, ServerVersion version) {
        cluster.withObjectProperty("spec").put("version", version.text());
    }

    /** They are about the members of the cluster, as they have no selector. */
    private static void spread(ObjectNode template) {
        APART.forEach(place -> template.withArrayProperty(CONSTRAINTS)
                .addObject()
                .put("maxSkew", 1)
                .put("topologyKey", place)
                .put("whenUnsatisfiable", "ScheduleAnyway"));
    }

    private static boolean isLeftOut(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }
}
