package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.webhook.ClientConfigs;
import java.time.Instant;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The rules of CustomResourceDefinitions, on top of those of all kinds.
 *
 * <p>Immutable.
 */
public final class DefinitionRules extends BuiltInRules {

    public static final RulesFile RULES = RulesFile.beside(
            DefinitionRules.class,
            Map.of(
                    "definition", DefinitionCheck::check,
                    "group", DefinitionCheck::group,
                    "listKind", DefinitionCheck::listKind,
                    "versions", VersionsCheck::check,
                    "common", VersionsCheck::checkCommon,
                    "deprecation", VersionsCheck::deprecation,
                    "client", ClientConfigs::check,
                    "reviewVersions", ClientConfigs::checkVersions));

    public DefinitionRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void fillDefaults(ObjectNode definition) {
        ObjectNode spec = Fields.in(definition, "spec");
        if (!spec.has("conversion")) {
            spec.putObject("conversion").put("strategy", "None");
        }
        ObjectNode names = spec.withObject("/names");
        String kind = names.path("kind").asText("");
        if (!names.has("singular") && !kind.isEmpty()) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (!names.has("listKind") && !kind.isEmpty()) {
            names.put("listKind", kind + "List");
        }
    }

    @Override
    protected ObjectNode initialStatus(ObjectNode definition) {
        ObjectNode status = definition.objectNode().putNull("conditions");
        status.putObject("acceptedNames").put("plural", "").put("kind", "");
        ArrayNode stored = status.putArray("storedVersions");
        Definitions.storageVersions(definition).stream().limit(1).forEach(stored::add);
        return status;
    }

    @Override
    public void prepareForUpdate(ObjectNode definition, ObjectNode before, String subresource) {
        super.prepareForUpdate(definition, before, subresource);
        if (subresource.isEmpty()) {
            Set<String> known = new HashSet<>();
            ArrayNode stored = definition.withObject("/status").withArray("storedVersions");
            stored.forEach(version -> known.add(version.asText()));
            if (!known.containsAll(Definitions.storageVersions(definition))) {
                ObjectNode status = (ObjectNode) definition.path("status").deepCopy();
                Definitions.storageVersions(definition).forEach(status.withArray("storedVersions")::add);
                definition.set("status", status);
            }
        }
    }

    @Override
    public void prepareForDelete(ObjectNode definition, Instant now) {
        Definitions.condition(
                definition,
                "Terminating",
                true,
                "InstanceDeletionPending",
                "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
                now);
    }
}
