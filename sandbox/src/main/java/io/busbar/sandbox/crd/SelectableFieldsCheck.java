package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.schema.FieldPath;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with the {@code selectableFields} of a version. Any thread. */
final class SelectableFieldsCheck {

    private static final int MOST = 8;

    private SelectableFieldsCheck() {}

    static List<FieldCause> of(String path, JsonNode version) {
        JsonNode fields = version.path("selectableFields");
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        Causes causes = new Causes();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            String at = path + "[" + i + "].jsonPath";
            String json = fields.path(i).path("jsonPath").asText("");
            if (json.isEmpty()) {
                causes.required(at, "");
                continue;
            }
            FieldPath found = FieldPath.of(json, schema, false);
            if (!found.flaw().isEmpty()) {
                causes.invalid(at, json, "is an invalid path: " + found.flaw());
                continue;
            }
            if (json.equals(".metadata") || json.startsWith(".metadata.")) {
                causes.invalid(at, json, "must not point to fields in metadata");
            }
            if (!Set.of("string", "boolean", "integer")
                    .contains(found.schema().path("type").asText())) {
                causes.invalid(
                        at,
                        json,
                        "must point to a field of type string, boolean or integer. Enum string fields and strings with"
                                + " formats are allowed.");
            }
            if (!seen.add(json)) {
                causes.duplicate(at, fields.path(i).path("jsonPath"));
            }
        }
        if (seen.size() > MOST) {
            causes.add(FieldCause.tooMany(path, seen.size(), MOST));
        }
        return causes.list();
    }
}
