package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.patch.MergeKeys;
import io.busbar.sandbox.resource.KindRules;
import io.busbar.sandbox.status.FieldCause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of CustomResourceDefinitions, on top of those of all kinds.
 *
 * <p>Immutable. Schemas are taken as they are: whether one is structural is not checked.
 */
public final class DefinitionRules implements KindRules {

    private final KindRules standard;

    public DefinitionRules(KindRules standard) {
        this.standard = standard;
    }

    @Override
    public ObjectNode decode(ObjectNode object) {
        ObjectNode definition = standard.decode(object);
        ObjectNode spec = definition.withObject("/spec");
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
        return definition;
    }

    @Override
    public List<String> unknownFields(ObjectNode object) {
        return standard.unknownFields(object);
    }

    @Override
    public void prepareForCreate(ObjectNode definition) {
        standard.prepareForCreate(definition);
        ObjectNode status = definition.putObject("status");
        status.putNull("conditions");
        status.putObject("acceptedNames").put("plural", "").put("kind", "");
        ArrayNode stored = status.putArray("storedVersions");
        storageVersions(definition).forEach(stored::add);
    }

    @Override
    public void prepareForUpdate(ObjectNode definition, ObjectNode before, String subresource) {
        standard.prepareForUpdate(definition, before, subresource);
        if (subresource.isEmpty()) {
            Set<String> known = new HashSet<>();
            ArrayNode stored = definition.withObject("/status").withArray("storedVersions");
            stored.forEach(version -> known.add(version.asText()));
            if (!known.containsAll(storageVersions(definition))) {
                ObjectNode status = (ObjectNode) definition.path("status").deepCopy();
                storageVersions(definition).forEach(status.withArray("storedVersions")::add);
                definition.set("status", status);
            }
        }
    }

    @Override
    public List<FieldCause> validate(ObjectNode definition, @Nullable ObjectNode before, String subresource) {
        List<FieldCause> causes = new ArrayList<>(standard.validate(definition, before, subresource));
        JsonNode spec = definition.path("spec");
        String name = definition.path("metadata").path("name").asText("");
        String expected = spec.path("names").path("plural").asText("") + "."
                + spec.path("group").asText("");
        if (!name.isEmpty() && !name.equals(expected)) {
            causes.add(FieldCause.invalid(
                    "metadata.name", "\"" + name + "\"", "must be spec.names.plural+\".\"+spec.group"));
        }
        require(spec, "group", causes);
        require(spec, "scope", causes);
        require(spec.path("names"), "names.plural", causes);
        require(spec.path("names"), "names.kind", causes);
        String scope = spec.path("scope").asText("");
        if (!scope.isEmpty() && !Set.of("Namespaced", "Cluster").contains(scope)) {
            causes.add(FieldCause.unsupported("spec.scope", "\"" + scope + "\"", "\"Cluster\", \"Namespaced\""));
        }
        if (storageVersions(definition).size() != 1) {
            causes.add(FieldCause.invalid(
                    "spec.versions",
                    spec.path("versions").toString(),
                    "must have exactly one version marked as storage version"));
        }
        for (int i = 0; i < spec.path("versions").size(); i++) {
            if (!spec.path("versions")
                    .path(i)
                    .path("schema")
                    .path("openAPIV3Schema")
                    .isObject()) {
                causes.add(
                        FieldCause.required("spec.versions[" + i + "].schema.openAPIV3Schema", "schemas are required"));
            }
        }
        return causes;
    }

    @Override
    public ObjectNode admit(ObjectNode definition) {
        return definition;
    }

    @Override
    public ListTopology lists() {
        return standard.lists();
    }

    @Override
    public boolean mergesStrategically() {
        return true;
    }

    @Override
    public MergeKeys mergeKeys() {
        return standard.mergeKeys();
    }

    private static void require(JsonNode parent, String path, List<FieldCause> causes) {
        if (parent.path(path.substring(path.indexOf('.') + 1)).asText("").isEmpty()) {
            causes.add(FieldCause.required("spec." + path, ""));
        }
    }

    static List<String> storageVersions(ObjectNode definition) {
        List<String> versions = new ArrayList<>();
        for (JsonNode version : definition.path("spec").path("versions")) {
            if (version.path("storage").asBoolean()) {
                versions.add(version.path("name").asText());
            }
        }
        return versions;
    }
}
