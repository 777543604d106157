package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a definition as a whole: its group, its names, its versions as a set.
 *
 * <p>One thread, once. The rules, their order and the words are those of apiextensions-apiserver's validation.
 */
final class DefinitionCheck {

    private static final String APPROVED = "api-approved.kubernetes.io";
    private static final String APPROVAL = "protected groups must have approval annotation \"" + APPROVED + "\"";
    private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

    private final ObjectNode definition;
    private final JsonNode spec;
    private final Causes causes = new Causes();

    private DefinitionCheck(ObjectNode definition) {
        this.definition = definition;
        this.spec = definition.path("spec");
    }

    /** @param before null for a creation */
    static List<FieldCause> of(ObjectNode definition, @Nullable ObjectNode before) {
        DefinitionCheck check = new DefinitionCheck(definition);
        if (before == null) {
            check.name();
        }
        check.spec();
        if (before != null) {
            check.unchanged(before);
        }
        check.storedVersions();
        if (before == null) {
            check.approval();
        }
        check.preservation(before);
        return check.causes.list();
    }

    private void name() {
        String name = definition.path("metadata").path("name").asText("");
        String expected = spec.path("names").path("plural").asText("") + "."
                + spec.path("group").asText("");
        if (!name.isEmpty() && !name.equals(expected)) {
            causes.invalid("metadata.name", name, "must be spec.names.plural+\".\"+spec.group");
        }
    }

    private void spec() {
        String group = spec.path("group").asText("");
        List<String> complaints = Names.dnsSubdomain(group);
        if (group.isEmpty()) {
            causes.required("spec.group", "");
        } else if (!complaints.isEmpty()) {
            causes.invalid("spec.group", group, String.join(",", complaints));
        } else if (!group.contains(".")) {
            causes.invalid("spec.group", group, "should be a domain with at least one dot");
        }
        oneOf("spec.scope", spec.path("scope").asText(""), List.of("Cluster", "Namespaced"));
        VersionsCheck versions = new VersionsCheck(spec);
        causes.addAll(versions.missingSchemas());
        JsonNode list = spec.path("versions");
        Set<String> known = new HashSet<>();
        boolean twice = false;
        for (int i = 0; i < list.size(); i++) {
            String version = list.path(i).path("name").asText("");
            twice |= !known.add(version);
            dns1035("spec.versions[" + i + "].name", version);
            causes.addAll(versions.check(i));
        }
        if (twice) {
            causes.invalid("spec.versions", list, "must contain unique version names");
        }
        if (Definitions.storageVersions(definition).size() != 1) {
            causes.invalid("spec.versions", list, "must have exactly one version marked as storage version");
        }
        names(spec.path("names"));
        causes.addAll(versions.checkCommon());
        causes.addAll(ConversionCheck.of(spec));
    }

    private void names(JsonNode names) {
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            if (names.path(field).asText("").isEmpty()) {
                causes.required("spec.names." + field, "");
            }
        }
        for (String field : List.of("plural", "singular")) {
            if (!names.path(field).asText("").isEmpty()) {
                dns1035("spec.names." + field, names.path(field).asText());
            }
        }
        for (String field : List.of("kind", "listKind")) {
            String kind = names.path(field).asText("");
            List<String> complaints = Names.dns1035Label(kind.toLowerCase(Locale.ROOT));
            if (!kind.isEmpty() && !complaints.isEmpty()) {
                causes.invalid(
                        "spec.names." + field,
                        kind,
                        "may have mixed case, but should otherwise match: " + String.join(",", complaints));
            }
        }
        each("shortNames", names);
        if (names.hasNonNull("kind") && names.path("kind").equals(names.path("listKind"))) {
            causes.invalid("spec.names.listKind", names.path("listKind"), "kind and listKind may not be the same");
        }
        each("categories", names);
    }

    private void each(String field, JsonNode names) {
        for (int i = 0; i < names.path(field).size(); i++) {
            dns1035(
                    "spec.names." + field + "[" + i + "]",
                    names.path(field).path(i).asText());
        }
    }

    private void dns1035(String field, String value) {
        List<String> complaints = Names.dns1035Label(value);
        if (!complaints.isEmpty()) {
            causes.invalid(field, value, String.join(",", complaints));
        }
    }

    private void oneOf(String field, String value, List<String> allowed) {
        if (value.isEmpty()) {
            causes.required(field, "");
        } else if (!allowed.contains(value)) {
            causes.unsupported(field, TextNode.valueOf(value), allowed);
        }
    }

    private void unchanged(ObjectNode before) {
        if (DefinitionConditions.status(before, "Established").equals("True")) {
            immutable(before, "scope", "/spec/scope");
            immutable(before, "names.kind", "/spec/names/kind");
        }
        immutable(before, "group", "/spec/group");
        immutable(before, "names.plural", "/spec/names/plural");
    }

    private void immutable(ObjectNode before, String field, String pointer) {
        if (!definition.at(pointer).equals(before.at(pointer))) {
            causes.invalid("spec." + field, definition.at(pointer), "field is immutable");
        }
    }

    private void storedVersions() {
        JsonNode stored = definition.path("status").path("storedVersions");
        for (int i = 0; i < stored.size(); i++) {
            String version = stored.path(i).asText();
            if (Definitions.version(definition, version).isMissingNode()) {
                causes.invalid(
                        "status.storedVersions[" + i + "]",
                        version,
                        "missing from spec.versions; " + version
                                + " was previously a storage version, and must remain in spec.versions until a storage"
                                + " migration ensures no data remains persisted in " + version + " and removes "
                                + version + " from status.storedVersions");
            }
        }
        List<String> storage = Definitions.storageVersions(definition);
        String last = storage.isEmpty() ? "" : storage.get(storage.size() - 1);
        if (!last.isEmpty() && !stored.toString().contains("\"" + last + "\"")) {
            causes.invalid("status.storedVersions", stored, "must have the storage version " + last);
        }
    }

    private void approval() {
        String group = spec.path("group").asText("");
        String field = "metadata.annotations[" + APPROVED + "]";
        if (!group.endsWith(".k8s.io") && !group.endsWith(".kubernetes.io")) {
            return;
        }
        String approval =
                definition.path("metadata").path("annotations").path(APPROVED).asText("");
        if (approval.isEmpty()) {
            causes.required(field, APPROVAL + SEE);
        } else if (!approval.startsWith("unapproved") && !approval.matches("[a-z]+://[^/]+.*")) {
            causes.invalid(
                    field, approval, APPROVAL + " with either a URL or a reason starting with \"unapproved\"" + SEE);
        }
    }

    private void preservation(@Nullable ObjectNode before) {
        boolean preserved = before != null
                && before.path("spec").path("preserveUnknownFields").asBoolean();
        if (spec.path("preserveUnknownFields").asBoolean() && !preserved) {
            causes.invalid(
                    "spec.preserveUnknownFields",
                    spec.path("preserveUnknownFields"),
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema"
                            + " instead");
        }
    }
}
