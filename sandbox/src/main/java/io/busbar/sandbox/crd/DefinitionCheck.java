package io.busbar.sandbox.crd;

import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.syntax.Names;
import java.util.List;

/**
 * What is wrong with a definition as a whole: its group, its names, its versions as a set.
 *
 * <p>One thread, once. The rules, their order and the words are those of apiextensions-apiserver's validation.
 */
final class DefinitionCheck {

    private static final String APPROVED = "api-approved.kubernetes.io";
    private static final String APPROVAL = "protected groups must have approval annotation \"" + APPROVED + "\"";
    private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

    private final Place definition;
    private final Place spec;

    private DefinitionCheck(Place definition) {
        this.definition = definition;
        this.spec = definition.field("spec");
    }

    /** Nothing, where the spec is as it was. */
    static void check(Place definition) {
        DefinitionCheck check = new DefinitionCheck(definition);
        boolean made = !definition.updates();
        if (!check.spec.changed()) {
            return;
        }
        if (made) {
            check.name();
        }
        check.spec.inside();
        if (!made) {
            check.unchanged();
        }
        check.storedVersions();
        if (made) {
            check.approval();
        }
        check.preservation();
    }

    private void name() {
        Place name = definition.at("metadata.name");
        String expected = spec.get("names").path("plural").asText() + "." + spec.text("group");
        if (!name.isBlank() && !name.value().asText().equals(expected)) {
            name.invalid("must be spec.names.plural+\".\"+spec.group");
        }
    }

    static void group(Place group) {
        List<String> complaints = Names.dnsSubdomain(group.value().asText());
        if (group.isBlank()) {
            group.required();
        } else if (!complaints.isEmpty()) {
            group.invalid(String.join(",", complaints));
        } else if (!group.value().asText().contains(".")) {
            group.invalid("should be a domain with at least one dot");
        }
    }

    static void listKind(Place listKind) {
        if (!listKind.isBlank() && listKind.value().equals(listKind.parent().get("kind"))) {
            listKind.invalid("kind and listKind may not be the same");
        }
    }

    private void unchanged() {
        if (Definitions.condition(definition.before(), "Established").equals("True")) {
            immutable("scope");
            immutable("names.kind");
        }
        immutable("group");
        immutable("names.plural");
    }

    private void immutable(String field) {
        if (spec.at(field).changed()) {
            spec.at(field).invalid("field is immutable");
        }
    }

    private void storedVersions() {
        Place stored = definition.at("status.storedVersions");
        for (Place each : stored.each()) {
            String version = each.value().asText();
            if (Definitions.version(definition.value(), version).isMissingNode()) {
                each.invalid("missing from spec.versions; " + version
                        + " was previously a storage version, and must remain in spec.versions until a storage"
                        + " migration ensures no data remains persisted in " + version + " and removes "
                        + version + " from status.storedVersions");
            }
        }
        List<String> storage = Definitions.storageVersions(definition.value());
        String last = storage.isEmpty() ? "" : storage.get(storage.size() - 1);
        if (!last.isEmpty() && !stored.value().toString().contains("\"" + last + "\"")) {
            stored.invalid("must have the storage version " + last);
        }
    }

    private void approval() {
        String group = spec.text("group");
        if (!group.endsWith(".k8s.io") && !group.endsWith(".kubernetes.io")) {
            return;
        }
        Place approval = definition.at("metadata.annotations").entry(APPROVED);
        String text = approval.value().asText();
        if (approval.isBlank()) {
            approval.required(APPROVAL + SEE);
        } else if (!text.startsWith("unapproved") && !text.matches("[a-z]+://[^/]+.*")) {
            approval.invalid(APPROVAL + " with either a URL or a reason starting with \"unapproved\"" + SEE);
        }
    }

    private void preservation() {
        if (spec.get("preserveUnknownFields").asBoolean()
                && !spec.before().path("preserveUnknownFields").asBoolean()) {
            spec.field("preserveUnknownFields")
                    .invalid(
                            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema"
                                    + " instead");
        }
    }
}
