package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Conversion;
import io.busbar.sandbox.resource.CustomVersion;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.schema.StructuralSchema;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Serves what CustomResourceDefinitions define, from the moment that one is written.
 *
 * <p>One context.
 */
public final class CustomResources {

    static final GroupResource DEFINITIONS = new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

    /** The order in which the real server tells them. */
    private static final List<String> VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");

    private final Catalog catalog;

    public CustomResources(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Takes note of a change, whatever it is of. */
    public void changed(StoreEvent event) {
        if (!event.resource().equals(DEFINITIONS)) {
            return;
        }
        ObjectNode definition = event.object();
        GroupResource storage = storage(definition);
        if (event.type() == StoreEvent.Type.DELETED) {
            catalog.replace(storage, List.of(), Optional.empty());
        } else if (event.previous() == null || !event.previous().path("spec").equals(definition.path("spec"))) {
            serve(storage, definition.path("spec"));
        }
    }

    static GroupResource storage(ObjectNode definition) {
        JsonNode spec = definition.path("spec");
        return new GroupResource(
                spec.path("group").asText(), spec.path("names").path("plural").asText());
    }

    private void serve(GroupResource storage, JsonNode spec) {
        List<Resource> served = new ArrayList<>();
        Optional<Resource> stored = Optional.empty();
        String storedVersion = "";
        for (JsonNode version : spec.path("versions")) {
            if (version.path("storage").asBoolean()) {
                storedVersion = storage.group() + "/" + version.path("name").asText();
            }
        }
        for (JsonNode version : spec.path("versions")) {
            Resource resource = resource(storage, spec, version, storedVersion);
            if (version.path("served").asBoolean()) {
                served.add(resource);
            }
            if (version.path("storage").asBoolean()) {
                stored = Optional.of(resource);
            }
        }
        catalog.replace(storage, served, stored);
    }

    private static Resource resource(GroupResource storage, JsonNode spec, JsonNode version, String storedVersion) {
        JsonNode names = spec.path("names");
        ResourceType type = new ResourceType(
                storage.group(),
                version.path("name").asText(),
                names.path("kind").asText(),
                storage.plural(),
                spec.path("scope").asText().equals("Namespaced"));
        Set<String> subresources = new LinkedHashSet<>();
        version.path("subresources").fieldNames().forEachRemaining(subresources::add);
        return new Resource(
                type,
                storage,
                names.path("singular").asText(),
                names.path("listKind").asText(),
                texts(names.path("shortNames")),
                texts(names.path("categories")),
                subresources,
                VERBS,
                Conversion.renaming(type.apiVersion(), storedVersion),
                new CustomRules(
                        StructuralSchema.of(version.path("schema").path("openAPIV3Schema")),
                        !spec.path("preserveUnknownFields").asBoolean(),
                        subresources.contains("status")),
                details(type, version));
    }

    private static CustomVersion details(ResourceType type, JsonNode version) {
        JsonNode columns = version.path("additionalPrinterColumns");
        JsonNode scale = version.path("subresources").get("scale");
        String warning = null;
        if (version.path("deprecated").asBoolean()) {
            warning =
                    version.path("deprecationWarning").asText(type.apiVersion() + " " + type.kind() + " is deprecated");
        }
        return new CustomVersion(columns.isArray() ? columns : JsonNodeFactory.instance.arrayNode(), scale, warning);
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return List.copyOf(texts);
    }
}
