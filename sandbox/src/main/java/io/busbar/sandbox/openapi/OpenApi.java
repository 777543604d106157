package io.busbar.sandbox.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Resource;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code /openapi/v2} (JSON and protobuf, which kubectl before 1.27 insists on) and {@code /openapi/v3}.
 *
 * <p>One context.
 */
public final class OpenApi {

    private static final List<String> OPTIONS = List.of("dryRun", "fieldManager", "fieldValidation");
    private static final String KIND = "x-kubernetes-group-version-kind";

    /**
     * A document as it goes over the wire.
     *
     * <p>Immutable.
     */
    public record Document(String contentType, Buffer bytes) {}

    private final Catalog catalog;
    private final String version;

    public OpenApi(Catalog catalog, String version) {
        this.catalog = catalog;
        this.version = version;
    }

    /** Empty for a path that has no document. */
    public Optional<Document> answer(String path, String accept) {
        if (path.equals("/openapi/v2")) {
            return Optional.of(accept.contains("protobuf") ? second() : json(document("swagger", "2.0")));
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
        if (resources.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode document = document("openapi", "3.0.0");
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        for (Resource resource : resources) {
            ObjectNode schema = schemas.putObject(schemaName(resource.type())).put("type", "object");
            describe(schema.putArray(KIND).addObject(), resource.type());
            if (resource.verbs().contains("patch")) {
                patch(document.withObject("/paths"), resource);
            }
        }
        return Optional.of(json(document));
    }

    private static void patch(ObjectNode paths, Resource resource) {
        ObjectNode patch = paths.putObject(path(resource.type())).putObject("patch");
        patch.put("x-kubernetes-action", "patch");
        describe(patch.putObject(KIND), resource.type());
        var parameters = patch.putArray("parameters");
        OPTIONS.forEach(option -> parameters
                .addObject()
                .put("name", option)
                .put("in", "query")
                .putObject("schema")
                .put("type", "string")
                .put("uniqueItems", true));
        ObjectNode content = patch.putObject("requestBody").putObject("content");
        for (String type : List.of(
                "application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json")) {
            content.putObject(type).putObject("schema").put("type", "object");
        }
        patch.putObject("responses").putObject("200").put("description", "OK");
    }

    /** Field numbers are those of gnostic's {@code openapiv2.proto}. */
    private Document second() {
        ProtobufWriter paths = new ProtobufWriter();
        for (String group :
                Stream.concat(Stream.of(""), catalog.groups().stream()).toList()) {
            for (String each : catalog.versions(group)) {
                for (Resource resource : catalog.resources(group, each)) {
                    if (resource.verbs().contains("patch")) {
                        paths.message(
                                2,
                                new ProtobufWriter()
                                        .text(1, path(resource.type()))
                                        .message(2, new ProtobufWriter().message(8, operation(resource.type()))));
                    }
                }
            }
        }
        byte[] bytes = new ProtobufWriter()
                .text(1, "2.0")
                .message(2, new ProtobufWriter().text(1, "Kubernetes").text(2, version))
                .message(8, paths)
                .toBytes();
        return new Document("application/octet-stream", Buffer.buffer(bytes));
    }

    private static ProtobufWriter operation(ResourceType type) {
        ProtobufWriter operation = new ProtobufWriter();
        for (String option : OPTIONS) {
            ProtobufWriter query = new ProtobufWriter().text(2, "query").text(4, option);
            ProtobufWriter parameter = new ProtobufWriter().message(2, new ProtobufWriter().message(3, query));
            operation.message(8, new ProtobufWriter().message(1, parameter));
        }
        String kind = "group: \"" + type.group() + "\"\nkind: " + type.kind() + "\nversion: " + type.version() + "\n";
        return operation.message(13, new ProtobufWriter().text(1, KIND).message(2, new ProtobufWriter().text(2, kind)));
    }

    private ObjectNode document(String field, String value) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put(field, value);
        document.putObject("info").put("title", "Kubernetes").put("version", version);
        document.putObject("paths");
        return document;
    }

    private static void describe(ObjectNode node, ResourceType type) {
        node.put("group", type.group()).put("version", type.version()).put("kind", type.kind());
    }

    private static String path(ResourceType type) {
        return (type.namespaced() ? type.path("{namespace}") : type.path()) + "/{name}";
    }

    private static String schemaName(ResourceType type) {
        String group = type.group().isEmpty() ? "core" : type.group();
        return group + "." + type.version() + "." + type.kind();
    }

    private static Document json(ObjectNode node) {
        return new Document("application/json", Buffer.buffer(node.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
