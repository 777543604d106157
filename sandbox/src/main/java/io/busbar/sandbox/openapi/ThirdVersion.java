package io.busbar.sandbox.openapi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.resource.Resource;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A document of OpenAPI 3.0, of one version of a group.
 *
 * <p>Any thread.
 */
final class ThirdVersion {

    private ThirdVersion() {}

    static ObjectNode of(List<Resource> resources, OpenApi openApi, String version, boolean sharding) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", version);
        ObjectNode paths = document.putObject("paths");
        resources.forEach(resource -> operations(paths.putObject(OpenApi.path(resource.type())), resource));
        if (sharding) {
            resources.forEach(resource -> lists(paths, resource));
        }
        // Beside a reference alone nothing else may stand.
        Function<String, ObjectNode> reference =
                name -> JsonNodeFactory.instance.objectNode().put("$ref", "#/components/schemas/" + name);
        SchemaDefinitions definitions = new SchemaDefinitions(reference, name -> {
            ObjectNode schema = JsonNodeFactory.instance.objectNode();
            schema.putArray("allOf").add(reference.apply(name));
            return schema;
        });
        openApi.define(definitions, resources);
        document.putObject("components").set("schemas", definitions.schemas());
        return document;
    }

    private static void operations(ObjectNode path, Resource resource) {
        if (resource.verbs().contains("get")) {
            ObjectNode get = path.putObject("get").put("x-kubernetes-action", "get");
            SchemaDefinitions.describe(get.putObject(SchemaDefinitions.KIND), resource);
            get.putObject("responses").putObject("200").put("description", "OK");
        }
        if (resource.verbs().contains("patch")) {
            patch(path.putObject("patch"), resource);
        }
    }

    /** With the parameter by which clients may see that it is understood (KEP-5866). */
    private static void lists(ObjectNode paths, Resource resource) {
        if (!resource.verbs().contains("list")) {
            return;
        }
        ResourceType type = resource.type();
        Set<String> places = type.namespaced() ? Set.of(type.path(), type.path("{namespace}")) : Set.of(type.path());
        for (String place : places) {
            ObjectNode list = paths.putObject(place).putObject("get").put("x-kubernetes-action", "list");
            SchemaDefinitions.describe(list.putObject(SchemaDefinitions.KIND), resource);
            parameter(list.putArray("parameters"), "shardSelector");
            list.putObject("responses").putObject("200").put("description", "OK");
        }
    }

    private static void parameter(ArrayNode parameters, String name) {
        parameters
                .addObject()
                .put("name", name)
                .put("in", "query")
                .putObject("schema")
                .put("type", "string")
                .put("uniqueItems", true);
    }

    private static void patch(ObjectNode patch, Resource resource) {
        patch.put("x-kubernetes-action", "patch");
        SchemaDefinitions.describe(patch.putObject(SchemaDefinitions.KIND), resource);
        ArrayNode parameters = patch.putArray("parameters");
        OpenApi.OPTIONS.forEach(option -> parameter(parameters, option));
        ObjectNode content = patch.putObject("requestBody").putObject("content");
        for (String type : List.of(
                "application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json")) {
            content.putObject(type).putObject("schema").put("type", "object");
        }
        patch.putObject("responses").putObject("200").put("description", "OK");
    }
}
