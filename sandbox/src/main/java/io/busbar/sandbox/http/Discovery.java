package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the server says it serves: in the plain form of {@code /api}, {@code /apis} and below, or all at once, in {@code
 * APIGroupDiscoveryList}s.
 *
 * <p>One context.
 */
final class Discovery {

    private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

    private final Catalog catalog;

    Discovery(Catalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Empty for a path that is none of discovery's.
     *
     * @param accept as the client sent it
     * @param address host and port, as the client reached it
     * @throws StatusException 406 for a form that discovery does not have
     */
    Optional<Reply> answer(String path, String accept, String address) {
        List<String> parts = List.of(path.substring(1).split("/", -1));
        String place = parts.get(0) + parts.size();
        if (!List.of("api1", "api2", "apis1", "apis2", "apis3").contains(place)) {
            return Optional.empty();
        }
        String version = parts.size() == 1 ? Accept.discoveryVersion(accept) : "";
        if (version.isEmpty()
                && Accept.negotiate(accept).filter(Accept::isPlain).isEmpty()) {
            throw StatusException.notAcceptable(
                    List.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf"));
        }
        return switch (place) {
            case "api1" ->
                version.isEmpty()
                        ? Optional.of(new Reply.OfNode(200, versions(address)))
                        : Optional.of(aggregated(version, List.of("")));
            case "api2" -> resources("", parts.get(1));
            case "apis1" ->
                version.isEmpty()
                        ? Optional.of(new Reply.OfNode(200, groups()))
                        : Optional.of(aggregated(version, catalog.groups()));
            case "apis2" -> group(parts.get(1));
            default -> resources(parts.get(1), parts.get(2));
        };
    }

    /** What there is below the root. */
    ObjectNode paths() {
        Set<String> paths =
                new TreeSet<>(List.of("/api", "/apis", "/apis/", "/healthz", "/livez", "/readyz", "/version"));
        paths.addAll(List.of("/openapi/v2", "/openapi/v3"));
        for (String group : catalog.groups()) {
            paths.add("/apis/" + group);
            catalog.versions(group).forEach(version -> paths.add("/apis/" + group + "/" + version));
        }
        catalog.versions("").forEach(version -> paths.add("/api/" + version));
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        texts(node, "paths", List.copyOf(paths));
        return node;
    }

    private Reply aggregated(String version, List<String> groups) {
        ObjectNode list = node("APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/" + version);
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        for (String group : groups) {
            ObjectNode item = items.addObject();
            ObjectNode metadata = item.putObject("metadata");
            if (!group.isEmpty()) {
                metadata.put("name", group);
            }
            ArrayNode versions = item.putArray("versions");
            for (String name : catalog.versions(group)) {
                ObjectNode node = versions.addObject().put("version", name);
                ArrayNode resources = node.putArray("resources");
                catalog.resources(group, name).forEach(resource -> aggregate(resources.addObject(), resource));
                node.put("freshness", "Current");
            }
        }
        return new Reply.OfBytes(
                200,
                "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList",
                Buffer.buffer(Json.write(list)));
    }

    private static void aggregate(ObjectNode node, Resource resource) {
        ResourceType type = resource.type();
        node.put("resource", type.plural());
        responseKind(node, type.group(), type.version(), type.kind());
        node.put("scope", type.namespaced() ? "Namespaced" : "Cluster").put("singularResource", singular(resource));
        texts(node, "verbs", resource.verbs());
        if (!resource.shortNames().isEmpty()) {
            texts(node, "shortNames", resource.shortNames());
        }
        if (!resource.categories().isEmpty()) {
            texts(node, "categories", resource.categories());
        }
        resource.subresources().stream().sorted().forEach(name -> {
            ObjectNode plain = node.objectNode();
            describe(plain, resource, name);
            ObjectNode subresource = node.withArray("/subresources").addObject().put("subresource", name);
            responseKind(
                    subresource,
                    plain.path("group").asText(type.group()),
                    plain.path("version").asText(type.version()),
                    plain.path("kind").asText());
            subresource.set("verbs", plain.path("verbs"));
        });
    }

    private static void responseKind(ObjectNode node, String group, String version, String kind) {
        node.putObject("responseKind")
                .put("group", group)
                .put("version", version)
                .put("kind", kind);
    }

    private static ObjectNode versions(String address) {
        ObjectNode versions = node("APIVersions");
        versions.remove("apiVersion");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs")
                .addObject()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", address);
        return versions;
    }

    private ObjectNode groups() {
        ObjectNode list = node("APIGroupList");
        ArrayNode groups = list.putArray("groups");
        catalog.groups().forEach(name -> groups.add(describe(groups.objectNode(), name)));
        return list;
    }

    private Optional<Reply> group(String name) {
        return name.isEmpty() || !catalog.groups().contains(name)
                ? Optional.empty()
                : Optional.of(new Reply.OfNode(200, describe(node("APIGroup"), name)));
    }

    private ObjectNode describe(ObjectNode group, String name) {
        List<String> versions = catalog.versions(name);
        group.put("name", name);
        ArrayNode array = group.putArray("versions");
        versions.forEach(version -> describeVersion(array.addObject(), name, version));
        describeVersion(group.putObject("preferredVersion"), name, versions.get(0));
        return group;
    }

    private static void describeVersion(ObjectNode node, String group, String version) {
        node.put("groupVersion", group + "/" + version).put("version", version);
    }

    private Optional<Reply> resources(String group, String version) {
        List<Resource> resources = catalog.resources(group, version);
        if (resources.isEmpty() && comesWithTheServer(catalog, group)) {
            throw StatusException.unknownResource();
        }
        if (resources.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode list = node("APIResourceList");
        list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode array = list.putArray("resources");
        resources.forEach(resource -> describe(array, resource));
        return Optional.of(new Reply.OfNode(200, list));
    }

    private static void describe(ArrayNode array, Resource resource) {
        ObjectNode node = array.addObject();
        node.put("name", resource.type().plural())
                .put("singularName", singular(resource))
                .put("namespaced", resource.type().namespaced())
                .put("kind", resource.type().kind());
        texts(node, "verbs", resource.verbs());
        if (!resource.shortNames().isEmpty()) {
            texts(node, "shortNames", resource.shortNames());
        }
        if (!resource.categories().isEmpty()) {
            texts(node, "categories", resource.categories());
        }
        resource.subresources().stream().sorted().forEach(sub -> describe(array.addObject(), resource, sub));
    }

    private static void describe(ObjectNode node, Resource resource, String subresource) {
        node.put("name", resource.type().plural() + "/" + subresource)
                .put("singularName", "")
                .put("namespaced", resource.type().namespaced());
        switch (subresource) {
            case "scale" ->
                node.put("group", "autoscaling").put("version", "v1").put("kind", "Scale");
            case "eviction" -> node.put("group", "policy").put("version", "v1").put("kind", "Eviction");
            case "binding" -> node.put("kind", "Binding");
            case "token" ->
                node.put("group", "authentication.k8s.io").put("version", "v1").put("kind", "TokenRequest");
            default -> node.put("kind", resource.type().kind());
        }
        texts(
                node,
                "verbs",
                switch (subresource) {
                    case "eviction", "binding", "token" -> List.of("create");
                    case "finalize" -> List.of("update");
                    default -> SUBRESOURCE_VERBS;
                });
    }

    /** Kinds that come with the server are called by their own names. */
    private static String singular(Resource resource) {
        return resource.custom() == null ? resource.type().kind().toLowerCase(Locale.ROOT) : resource.singular();
    }

    private static void texts(ObjectNode node, String field, List<String> values) {
        ArrayNode array = node.putArray(field);
        values.forEach(array::add);
    }

    private static ObjectNode node(String kind) {
        return JsonNodeFactory.instance.objectNode().put("kind", kind).put("apiVersion", "v1");
    }

    /** Of these groups it is told what is not there; of others there is not even a page. */
    static boolean comesWithTheServer(Catalog catalog, String group) {
        return catalog.versions(group).stream()
                .flatMap(version -> catalog.resources(group, version).stream())
                .anyMatch(resource -> resource.custom() == null);
    }
}
