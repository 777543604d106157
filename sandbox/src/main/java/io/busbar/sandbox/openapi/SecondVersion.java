package io.busbar.sandbox.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.wire.WireWriter;
import java.util.List;
import java.util.function.Function;

/**
 * A document of OpenAPI 2.0, of all kinds.
 *
 * <p>One thread. Of paths it has those by which clients see that dry run and field validation are understood.
 */
final class SecondVersion {

    private final List<Resource> resources;
    private final SchemaDefinitions definitions;
    private final String version;

    SecondVersion(List<Resource> resources, OpenApi openApi, String version) {
        this.resources = resources;
        this.version = version;
        Function<String, ObjectNode> reference =
                name -> JsonNodeFactory.instance.objectNode().put("$ref", "#/definitions/" + name);
        this.definitions = new SchemaDefinitions(reference, reference);
        openApi.define(definitions, resources);
    }

    ObjectNode json() {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("swagger", "2.0");
        document.putObject("info").put("title", "Kubernetes").put("version", version);
        ObjectNode paths = document.putObject("paths");
        for (Resource resource : resources) {
            if (resource.verbs().contains("patch")) {
                ObjectNode patch =
                        paths.putObject(OpenApi.path(resource.type())).putObject("patch");
                SchemaDefinitions.describe(patch.putObject(SchemaDefinitions.KIND), resource);
                var parameters = patch.putArray("parameters");
                OpenApi.OPTIONS.forEach(option -> parameters
                        .addObject()
                        .put("name", option)
                        .put("in", "query")
                        .put("type", "string")
                        .put("uniqueItems", true));
                patch.putObject("responses").putObject("200").put("description", "OK");
            }
        }
        ObjectNode schemas = definitions.schemas().deepCopy();
        schemas.forEach(schema -> SchemaMessages.open((ObjectNode) schema));
        document.set("definitions", schemas);
        return document;
    }

    /** Field numbers are those of gnostic's {@code openapiv2.proto}. */
    byte[] protobuf() {
        WireWriter paths = new WireWriter();
        for (Resource resource : resources) {
            if (resource.verbs().contains("patch")) {
                paths.message(
                        2,
                        new WireWriter()
                                .text(1, OpenApi.path(resource.type()))
                                .message(2, new WireWriter().message(8, operation(resource))));
            }
        }
        return new WireWriter()
                .text(1, "2.0")
                .message(2, new WireWriter().text(1, "Kubernetes").text(2, version))
                .message(8, paths)
                .message(9, SchemaMessages.map(definitions.schemas()))
                .toBytes();
    }

    private static WireWriter operation(Resource resource) {
        WireWriter operation = new WireWriter();
        for (String option : OpenApi.OPTIONS) {
            WireWriter query = new WireWriter().text(2, "query").text(4, option);
            WireWriter parameter = new WireWriter().message(2, new WireWriter().message(3, query));
            operation.message(8, new WireWriter().message(1, parameter));
        }
        ObjectNode kind = JsonNodeFactory.instance.objectNode();
        SchemaDefinitions.describe(kind, resource);
        return operation.message(13, SchemaMessages.extension(SchemaDefinitions.KIND, kind));
    }
}
