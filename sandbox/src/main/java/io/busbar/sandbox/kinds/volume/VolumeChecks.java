package io.busbar.sandbox.kinds.volume;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.syntax.GoText;
import java.util.List;
import java.util.Map;

/** What is valid of volumes and storage classes beyond the single field. Any thread. */
final class VolumeChecks {

    private static final String EXPANSION_SECRET = "controllerExpandSecretRef";

    /** What of a volume says how it is used, and not where it is. */
    private static final List<String> USES = List.of(
            "accessModes",
            "capacity",
            "claimRef",
            "mountOptions",
            "nodeAffinity",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "volumeAttributesClassName",
            "volumeMode");

    private VolumeChecks() {}

    static void capacity(Place capacity) {
        if (!capacity.value().has("storage") || capacity.value().size() > 1) {
            capacity.unsupported(List.of("storage"));
        }
        for (Map.Entry<String, JsonNode> entry : capacity.value().properties()) {
            int sign = ClaimRules.amount(entry.getValue()).signum();
            Place amount = capacity.entry(entry.getKey());
            String shown = GoText.quote(entry.getValue().asText());
            if (sign < 0) {
                amount.invalid(shown, "must be greater than or equal to 0");
            }
            if (sign <= 0) {
                amount.invalid(shown, "must be greater than zero");
            }
        }
    }

    /** Where a volume is cannot change, nor, once it is said, from where it is reached. */
    static void source(Place spec) {
        if (!spec.updates()) {
            return;
        }
        if (spec.value() instanceof ObjectNode now
                && spec.before() instanceof ObjectNode old
                && !source(now, old).equals(source(old, old))) {
            spec.besides("spec.persistentvolumesource")
                    .forbidden("spec.persistentvolumesource is immutable after creation");
        }
        Place mode = spec.field("volumeMode");
        if (mode.changed()) {
            mode.besides("volumeMode").invalid("field is immutable");
        }
        Place affinity = spec.field("nodeAffinity");
        if (affinity.before().isObject() && affinity.changed()) {
            affinity.besides("nodeAffinity").invalid("field is immutable");
        }
    }

    /** Without what may be given to one that has had none. */
    private static ObjectNode source(ObjectNode spec, ObjectNode old) {
        ObjectNode source = spec.deepCopy().remove(USES);
        if (!old.path("csi").has(EXPANSION_SECRET) && source.get("csi") instanceof ObjectNode driver) {
            driver.remove(EXPANSION_SECRET);
        }
        return source;
    }

    static void parameters(Place parameters) {
        if (parameters.value().has("")) {
            parameters.invalid("\"\"", "field can not be empty.");
        }
    }
}
