package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.cel.SchemaRuleCheck;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.schema.FieldPath;
import io.busbar.sandbox.schema.SchemaCheck;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is wrong with the versions of a definition, each by itself.
 *
 * <p>Any thread. A part that is the same in all versions is checked once, under the name that it has in the API
 * server's own form: {@code spec.validation}, {@code spec.subresources}, {@code spec.additionalPrinterColumns},
 * {@code spec.selectableFields}.
 */
final class VersionsCheck {

    private static final List<String> PARTS =
            List.of("schema", "subresources", "additionalPrinterColumns", "selectableFields");
    private static final int MOST_FIELDS = 8;

    private VersionsCheck() {}

    /** What is particular to one version, and the versions as a set. */
    static void check(Place versions) {
        for (Place version : versions.each()) {
            if (!schema(version).isObject()) {
                version.at("schema.openAPIV3Schema").required();
            }
        }
        Set<String> known = new HashSet<>();
        boolean twice = false;
        for (Place version : versions.each()) {
            String name = version.text("name");
            twice |= !known.add(name);
            List<String> complaints = Names.dns1035Label(name);
            if (!complaints.isEmpty()) {
                version.field("name").invalid(GoText.quote(name), String.join(",", complaints));
            }
            version.inside();
            PARTS.stream()
                    .filter(part -> !isCommon(versions, part))
                    .forEach(part -> check(version, part, version.path() + "." + part));
        }
        String shown = versions.value().toString();
        if (twice) {
            versions.invalid(shown, "must contain unique version names");
        }
        if (Definitions.storageVersions(versions.root().value()).size() != 1) {
            versions.invalid(shown, "must have exactly one version marked as storage version");
        }
    }

    /** What all versions share. */
    static void checkCommon(Place versions) {
        for (String part : PARTS) {
            if (!versions.isBlank() && isCommon(versions, part)) {
                check(versions.each().get(0), part, "spec." + (part.equals("schema") ? "validation" : part));
            }
        }
    }

    private static boolean isCommon(Place versions, String part) {
        JsonNode first = versions.value().path(0).path(part);
        return versions.each().stream().allMatch(version -> version.get(part).equals(first));
    }

    private static void check(Place version, String part, String path) {
        Place place = version.field(part).besides(path);
        switch (part) {
            case "schema" -> place.causes().addAll(schema(path, version));
            case "selectableFields" -> fields(place, schema(version));
            default -> place.inside();
        }
    }

    private static JsonNode schema(Place version) {
        return version.get("schema").path("openAPIV3Schema");
    }

    private static List<FieldCause> schema(String path, Place version) {
        JsonNode schema = schema(version);
        if (!schema.isObject()) {
            return List.of();
        }
        String at = path + ".openAPIV3Schema";
        boolean status = version.get("subresources").has("status");
        List<FieldCause> causes = new ArrayList<>(SchemaCheck.of(at, schema, status, DefaultCheck::of));
        causes.addAll(SchemaRuleCheck.of(at, schema, causes.isEmpty()));
        return causes.isEmpty() ? DefaultCheck.byRules(at, schema) : causes;
    }

    static void deprecation(Place warning) {
        String text = warning.value().asText();
        if (!warning.value().isTextual()) {
            return;
        }
        if (!warning.parent().get("deprecated").asBoolean()) {
            warning.invalid("can only be set for deprecated versions");
        }
        if (text.length() > 256) {
            warning.invalid("must be <= 256 characters long");
        }
        if (text.isEmpty()) {
            warning.invalid("must not be an empty string");
        }
    }

    private static void fields(Place fields, JsonNode schema) {
        Set<String> seen = new HashSet<>();
        for (Place field : fields.each()) {
            Place path = field.field("jsonPath");
            if (path.isBlank()) {
                path.required();
                continue;
            }
            String json = path.value().asText();
            FieldPath found = FieldPath.of(json, schema, false);
            if (!found.flaw().isEmpty()) {
                path.invalid("is an invalid path: " + found.flaw());
                continue;
            }
            if (json.equals(".metadata") || json.startsWith(".metadata.")) {
                path.invalid("must not point to fields in metadata");
            }
            if (!Set.of("string", "boolean", "integer")
                    .contains(found.schema().path("type").asText())) {
                path.invalid(
                        "must point to a field of type string, boolean or integer. Enum string fields and strings with"
                                + " formats are allowed.");
            }
            if (!seen.add(json)) {
                path.duplicate();
            }
        }
        if (seen.size() > MOST_FIELDS) {
            fields.causes().add(FieldCause.tooMany(fields.path(), seen.size(), MOST_FIELDS));
        }
    }
}
