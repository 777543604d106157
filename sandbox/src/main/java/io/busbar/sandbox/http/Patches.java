package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.patch.JsonPatch;
import io.busbar.sandbox.patch.MergePatch;
import io.busbar.sandbox.patch.PatchException;
import io.busbar.sandbox.patch.StrategicMergePatch;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Turns the body of a PATCH into a change of an object.
 *
 * <p>Any thread.
 */
final class Patches {

    static final String APPLY = "application/apply-patch+yaml";
    private static final String JSON = "application/json-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    private Patches() {}

    /** @throws StatusException 415 for a kind of patch that this resource does not understand, 422 for options that don't fit */
    static void check(Call call, Resource resource) {
        String type = call.contentType();
        if (!List.of(JSON, MERGE, STRATEGIC, APPLY).contains(type)) {
            throw new StatusException(
                    415, "UnsupportedMediaType", "415: Unsupported Media Type", JsonNodeFactory.instance.objectNode());
        }
        if (type.equals(STRATEGIC) && !resource.rules().mergesStrategically()) {
            throw StatusException.unsupportedMediaType(List.of(JSON, MERGE, APPLY));
        }
        if (type.equals(APPLY) && call.parameter("fieldManager").isEmpty()) {
            throw invalidOption(FieldCause.required("fieldManager", "is required for apply patch"));
        }
        if (!type.equals(APPLY) && call.flag("force")) {
            throw invalidOption(FieldCause.forbidden("force", "may not be specified for non-apply patch"));
        }
    }

    /** The change that a patch other than an apply makes. It returns objects that share nothing. */
    static UnaryOperator<ObjectNode> change(Call call, Resource resource) {
        String type = call.contentType();
        JsonNode patch = body(call);
        return before -> {
            try {
                JsonNode after = switch (type) {
                    case JSON -> JsonPatch.apply(before, patch);
                    case MERGE -> MergePatch.apply(before, patch);
                    default ->
                        StrategicMergePatch.applyAny(
                                before, patch, resource.rules().mergeKeys());
                };
                return isolated(after);
            } catch (PatchException e) {
                throw status(e);
            }
        };
    }

    /** The configuration of a kind that an apply brings, in YAML or JSON. */
    static ObjectNode configuration(Call call, String kind, String apiVersion) {
        JsonNode node;
        try {
            node = Json.readYaml(call.body());
        } catch (IOException e) {
            throw StatusException.badRequest(
                    "error decoding YAML: error converting YAML to JSON: yaml: " + e.getMessage());
        }
        if (!(node instanceof ObjectNode) && !node.isNull() && !node.isMissingNode()) {
            throw StatusException.badRequest(
                    "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
                            + GoText.jsonType(node) + " into Go value of type map[string]interface {}");
        }
        ObjectNode configuration = node instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
        String version = configuration.path("apiVersion").asText("");
        String actual = configuration.path("kind").asText("");
        if (!version.equals(apiVersion) || !actual.equals(kind)) {
            throw StatusException.badRequest(
                    "invalid object type: " + (version.contains("/") ? "" : "/") + version + ", Kind=" + actual);
        }
        return configuration;
    }

    static StatusException status(PatchException e) {
        String message = String.valueOf(e.getMessage());
        return switch (e.code()) {
            case 400 -> StatusException.badRequest(message);
            case 413 -> new StatusException(413, "RequestEntityTooLarge", message, null);
            case 422 -> new StatusException(422, "Invalid", message, JsonNodeFactory.instance.objectNode());
            default -> new StatusException(e.code(), "", message, null);
        };
    }

    private static ObjectNode isolated(JsonNode after) {
        if (Json.isTooDeep(after)) {
            throw new PatchException(422, "the patched object is nested too deeply: limit is " + Json.DEEPEST);
        }
        if (after instanceof ObjectNode object) {
            return object.deepCopy();
        }
        throw new PatchException(422, "the server rejected our request due to an error in our request");
    }

    private static JsonNode body(Call call) {
        try {
            return Json.read(call.body());
        } catch (IOException e) {
            if (call.contentType().equals(MERGE)) {
                throw new StatusException(500, "", "Invalid JSON Patch", null);
            }
            throw StatusException.badRequest("unexpected EOF");
        }
    }

    private static StatusException invalidOption(FieldCause cause) {
        return StatusException.invalid("meta.k8s.io", "PatchOptions", "", List.of(cause));
    }
}
