package io.busbar.sandbox.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code /openapi/v2} (JSON and protobuf, which kubectl before 1.27 insists on) and {@code /openapi/v3}.
 *
 * <p>One context. The last form of the second version is kept until what is served changes.
 */
public final class OpenApi {

    static final List<String> OPTIONS = List.of("dryRun", "fieldManager", "fieldValidation");

    private static final GroupResource DEFINITIONS =
            new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

    /**
     * A document as it goes over the wire.
     *
     * <p>Immutable.
     */
    public record Document(String contentType, Buffer bytes) {}

    private record Made(long generation, boolean protobuf, Document document) {}

    private final Catalog catalog;
    private final MemoryStore store;
    private final String version;
    private final boolean sharding;
    private @Nullable Made second;

    /** @param sharding whether lists can be of ranges of objects, which is told */
    public OpenApi(Catalog catalog, MemoryStore store, String version, boolean sharding) {
        this.catalog = catalog;
        this.store = store;
        this.version = version;
        this.sharding = sharding;
    }

    /** Empty for a path that has no document. */
    public Optional<Document> answer(String path, String accept) {
        if (path.equals("/openapi/v2")) {
            return Optional.of(second(accept.contains("protobuf")));
        }
        if (path.equals("/openapi/v3")) {
            return Optional.of(json(index()));
        }
        if (path.startsWith("/openapi/v3/")) {
            return third(List.of(path.substring("/openapi/v3/".length()).split("/", -1)));
        }
        return Optional.empty();
    }

    private ObjectNode index() {
        ObjectNode index = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = index.putObject("paths");
        putVersion(paths, "api/v1");
        catalog.groups()
                .forEach(group ->
                        catalog.versions(group).forEach(each -> putVersion(paths, "apis/" + group + "/" + each)));
        return index;
    }

    /** The hash changes with what is served, so that clients may keep what they have read. */
    private void putVersion(ObjectNode paths, String path) {
        paths.putObject(path)
                .put(
                        "serverRelativeURL",
                        "/openapi/v3/" + path + "?hash=" + Long.toHexString(catalog.generation() + 1));
    }

    private Optional<Document> third(List<String> parts) {
        boolean core = parts.get(0).equals("api") && parts.size() == 2;
        boolean grouped = parts.get(0).equals("apis") && parts.size() == 3;
        if (!core && !grouped) {
            return Optional.empty();
        }
        List<Resource> resources =
                core ? catalog.resources("", parts.get(1)) : catalog.resources(parts.get(1), parts.get(2));
        return resources.isEmpty()
                ? Optional.empty()
                : Optional.of(json(ThirdVersion.of(resources, this, version, sharding)));
    }

    private Document second(boolean protobuf) {
        if (second == null || second.generation() != catalog.generation() || second.protobuf() != protobuf) {
            List<Resource> all = Stream.concat(Stream.of(""), catalog.groups().stream())
                    .flatMap(group ->
                            catalog.versions(group).stream().flatMap(each -> catalog.resources(group, each).stream()))
                    .toList();
            SecondVersion document = new SecondVersion(all, this, version);
            second = new Made(
                    catalog.generation(),
                    protobuf,
                    protobuf
                            ? new Document("application/octet-stream", Buffer.buffer(document.protobuf()))
                            : json(document.json()));
        }
        return second.document();
    }

    /** The schemas of these kinds, and of what they are made of. */
    void define(SchemaDefinitions definitions, List<Resource> resources) {
        for (Resource resource : resources) {
            if (resource.custom() == null) {
                definitions.add(resource);
            } else {
                definitions.add(resource, schema(resource.type()));
            }
        }
    }

    private JsonNode schema(ResourceType type) {
        ObjectNode definition = store.shelf(DEFINITIONS).get(ObjectKey.of(type.toString()));
        if (definition == null
                || definition.path("spec").path("preserveUnknownFields").asBoolean()) {
            return JsonNodeFactory.instance.missingNode();
        }
        for (JsonNode each : definition.path("spec").path("versions")) {
            if (each.path("name").asText().equals(type.version())) {
                return each.path("schema").path("openAPIV3Schema");
            }
        }
        return JsonNodeFactory.instance.missingNode();
    }

    static String path(ResourceType type) {
        return (type.namespaced() ? type.path("{namespace}") : type.path()) + "/{name}";
    }

    private static Document json(ObjectNode node) {
        return new Document("application/json", Buffer.buffer(node.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
