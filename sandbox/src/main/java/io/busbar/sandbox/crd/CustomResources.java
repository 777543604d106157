package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.CustomVersion;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.resource.VersionOrder;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.webhook.WebhookCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

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

    /**
     * @param since the revision as of which its spec is as it is
     * @param rules of its versions, by apiVersion
     */
    private record Known(ObjectNode definition, long since, Map<String, CustomRules> rules) {}

    private final Catalog catalog;
    private final WebhookCalls webhooks;
    private final Map<ObjectKey, Known> known = new HashMap<>();

    /** @param webhooks the way to those that convert */
    public CustomResources(Catalog catalog, WebhookCalls webhooks) {
        this.catalog = catalog;
        this.webhooks = webhooks;
    }

    /** Takes note of a change, whatever it is of. */
    public void changed(StoreEvent event) {
        if (!event.resource().equals(DEFINITIONS)) {
            return;
        }
        ObjectNode definition = event.object();
        if (event.type() == StoreEvent.Type.DELETED) {
            known.remove(event.key());
            catalog.replace(storage(definition), List.of(), Optional.empty());
            return;
        }
        Known before = known.get(event.key());
        Known now = before == null || !before.definition().path("spec").equals(definition.path("spec"))
                ? new Known(definition, event.revision(), rules(definition))
                : new Known(definition, before.since(), before.rules());
        known.put(event.key(), now);
        if (before == null
                || before.since() != now.since()
                || !state(before.definition()).equals(state(definition))) {
            serve(now);
        }
    }

    /** What of a definition, beside its spec, tells how it is served. */
    private static List<Object> state(ObjectNode definition) {
        return List.of(
                definition.path("status").path("acceptedNames"),
                Definitions.condition(definition, "Established"),
                Metadata.of(definition).deleting());
    }

    static GroupResource storage(ObjectNode definition) {
        JsonNode spec = definition.path("spec");
        return new GroupResource(
                spec.path("group").asText(), spec.path("names").path("plural").asText());
    }

    /** One whose names belong to another is not served; the names of one that was established are those accepted. */
    private void serve(Known now) {
        ObjectNode definition = now.definition();
        GroupResource storage = storage(definition);
        JsonNode names = definition.path("status").path("acceptedNames");
        if (!Definitions.condition(definition, "Established").equals("True")) {
            NameClaims claims = NameClaims.of(
                    definition, known.values().stream().map(Known::definition).toList());
            if (!claims.accepted()) {
                catalog.replace(storage, List.of(), Optional.empty());
                return;
            }
            names = claims.names();
        }
        List<Resource> served = new ArrayList<>();
        Optional<Resource> stored = Optional.empty();
        for (Resource resource : resources(now, names)) {
            JsonNode version = Definitions.version(definition, resource.type().version());
            if (version.path("served").asBoolean()) {
                served.add(resource);
            }
            if (version.path("storage").asBoolean()) {
                stored = Optional.of(resource);
            }
        }
        catalog.replace(storage, served, stored);
    }

    private List<Resource> resources(Known now, JsonNode names) {
        ObjectNode definition = now.definition();
        JsonNode spec = definition.path("spec");
        GroupResource storage = storage(definition);
        String stored =
                storage.group() + "/" + Definitions.storageVersions(definition).get(0);
        JsonNode strategy = spec.path("conversion");
        Converter converter = strategy.path("strategy").asText().equals("Webhook")
                ? new ConversionWebhook(webhooks, storage.toString(), strategy.path("webhook"))
                : Converter.NONE;
        List<Resource> resources = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            ResourceType type = new ResourceType(
                    storage.group(),
                    version.path("name").asText(),
                    names.path("kind").asText(),
                    storage.plural(),
                    spec.path("scope").asText().equals("Namespaced"));
            Set<String> subresources = new LinkedHashSet<>();
            version.path("subresources").fieldNames().forEachRemaining(subresources::add);
            resources.add(new Resource(
                    type,
                    storage,
                    names.path("singular").asText(),
                    names.path("listKind").asText(),
                    texts(names.path("shortNames")),
                    texts(names.path("categories")),
                    subresources,
                    VERBS,
                    new VersionedConversion(type.apiVersion(), stored, now.rules(), now.since(), converter),
                    Objects.requireNonNull(now.rules().get(type.apiVersion())),
                    details(type, version, now)));
        }
        return resources;
    }

    private static Map<String, CustomRules> rules(ObjectNode definition) {
        JsonNode spec = definition.path("spec");
        Map<String, CustomRules> rules = new HashMap<>();
        for (JsonNode version : spec.path("versions")) {
            rules.put(
                    spec.path("group").asText() + "/" + version.path("name").asText(),
                    new CustomRules(version, !spec.path("preserveUnknownFields").asBoolean()));
        }
        return Map.copyOf(rules);
    }

    private static CustomVersion details(ResourceType type, JsonNode version, Known now) {
        JsonNode scale = version.path("subresources").get("scale");
        String warning = null;
        if (version.path("deprecated").asBoolean()) {
            warning = version.path("deprecationWarning").asText(deprecation(type, now.definition()));
        }
        Set<String> selectable = new LinkedHashSet<>();
        version.path("selectableFields")
                .forEach(field -> selectable.add(field.path("jsonPath").asText().replaceFirst("^\\.", "")));
        return new CustomVersion(
                selectable,
                scale,
                warning,
                now.since(),
                Metadata.of(now.definition()).deleting());
    }

    /** Names the best of the versions that are better. */
    private static String deprecation(ResourceType type, ObjectNode definition) {
        String words = type.apiVersion() + " " + type.kind() + " is deprecated";
        return StreamSupport.stream(definition.path("spec").path("versions").spliterator(), false)
                .filter(version -> version.path("served").asBoolean()
                        && !version.path("deprecated").asBoolean())
                .map(version -> version.path("name").asText())
                .filter(name -> VersionOrder.PREFERRED_FIRST.compare(name, type.version()) < 0)
                .min(VersionOrder.PREFERRED_FIRST)
                .map(better -> words + "; use " + type.group() + "/" + better + " " + type.kind())
                .orElse(words);
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return List.copyOf(texts);
    }
}
