package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.model.ModelType;
import io.busbar.sandbox.patch.JsonPatch;
import io.busbar.sandbox.patch.MergePatch;
import io.busbar.sandbox.patch.PatchException;
import io.busbar.sandbox.patch.StrategicMergePatch;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.request.WriteOptions.UnknownFields;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.syntax.GoText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns the body of a PATCH into a change of an object.
 *
 * <p>Any thread.
 */
final class Patches {

    static final String APPLY = "application/apply-patch+yaml";
    private static final Pattern UNMARSHAL = Pattern.compile(
            "json: cannot unmarshal (?<found>\\w+)(?: \\S+)? into Go (?:struct field \\S+|value) of type"
                    + " (?<wanted>(?!\\w+\\.(?:Micro)?Time)\\S+)");
    private static final String JSON = "application/json-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    private static final Set<String> OPERATION = Set.of("op", "from", "path", "value");

    private Patches() {}

    /**
     * @throws StatusException 415 for a kind of patch that this resource does not understand, 422 for options that
     *     don't fit
     */
    static void check(Call call, Resource resource) {
        String type = call.contentType();
        if (!List.of(JSON, MERGE, STRATEGIC, APPLY).contains(type)) {
            throw resource.custom() == null
                    ? new StatusException(
                            415,
                            "UnsupportedMediaType",
                            "415: Unsupported Media Type",
                            JsonNodeFactory.instance.objectNode())
                    : StatusException.unsupportedMediaType(List.of(JSON, MERGE, APPLY));
        }
        if (type.equals(STRATEGIC) && !resource.rules().mergesStrategically()) {
            throw StatusException.unsupportedMediaType(List.of(JSON, MERGE, APPLY));
        }
        if (type.equals(APPLY) && call.parameter("fieldManager").isEmpty()) {
            throw invalidOption(FieldCause.required("fieldManager", "is required for apply patch"));
        }
        if (!type.equals(APPLY) && call.asks("force")) {
            throw invalidOption(FieldCause.forbidden("force", "may not be specified for non-apply patch"));
        }
    }

    /**
     * The change that a patch other than an apply makes of an object of a kind. It returns objects that share nothing.
     */
    static UnaryOperator<ObjectNode> change(Call call, Resource resource, ResourceType kind, WriteOptions options) {
        String type = call.contentType();
        Json.Document document = body(call, options.unknownFields() != UnknownFields.IGNORE);
        JsonNode patch = document.node();
        List<String> duplicates = type.equals(JSON)
                ? document.duplicates().stream()
                        .map(duplicate -> "json patch " + duplicate)
                        .toList()
                : document.duplicates();
        boolean own = kind.equals(resource.type());
        return before -> {
            try {
                JsonNode after = switch (type) {
                    case JSON -> JsonPatch.apply(before, patch);
                    case MERGE -> MergePatch.apply(before, patch);
                    default ->
                        StrategicMergePatch.applyAny(
                                before, patch, resource.rules().mergeKeys());
                };
                ObjectNode patched = isolated(after);
                String shown = type.equals(STRATEGIC) ? GoText.plain(patch) : patched.toString();
                if (resource.custom() == null || !own) {
                    checkKind(patched, kind, shown, type.equals(STRATEGIC));
                }
                Strictness.ofPatched(
                        shown,
                        options,
                        duplicates,
                        () -> own
                                ? resource.rules().unknownFields(patched)
                                : ModelType.of(kind).unknownFields(patched));
                return patched;
            } catch (PatchException e) {
                throw status(e);
            }
        };
    }

    /** What a patch has made of a built-in object must still be one, of the same kind. */
    private static void checkKind(ObjectNode patched, ResourceType kind, String shown, boolean restored) {
        String actual = patched.path("kind").asText(kind.kind());
        String version = patched.path("apiVersion").asText(kind.apiVersion());
        boolean same = actual.equals(kind.kind()) && version.equals(kind.apiVersion());
        int slash = version.indexOf('/');
        ResourceType now = same
                ? kind
                : new ResourceType(
                        slash < 0 ? "" : version.substring(0, slash), version.substring(slash + 1), actual, "", true);
        String problem = ModelType.of(now).problem(patched);
        if (problem != null) {
            throw Strictness.patchInvalid(shown, restored ? restored(problem) : problem);
        }
        if (!same) {
            throw Strictness.patchInvalid(shown, Bodies.unfit(actual, version, kind.kind(), kind.apiVersion()));
        }
        patched.put("kind", kind.kind()).put("apiVersion", kind.apiVersion());
    }

    /** What a strategic merge makes is not decoded from JSON, but taken from a map. */
    private static String restored(String problem) {
        Matcher words = UNMARSHAL.matcher(problem);
        if (!words.matches()) {
            return problem;
        }
        String wanted = words.group("wanted");
        String found = switch (words.group("found")) {
            case "object" -> "map";
            case "array" -> "slice";
            case "number" -> problem.matches(".*number \\d*\\..*") ? "float64" : "int64";
            default -> words.group("found");
        };
        if (wanted.startsWith("[]") || wanted.startsWith("map[")) {
            return "cannot restore " + (wanted.startsWith("[]") ? "slice" : "map") + " from " + found;
        }
        if (wanted.contains(".")) {
            return "cannot restore struct from: " + found;
        }
        boolean converts =
                found.equals("int64") ? !wanted.equals("bool") : found.equals("float64") && wanted.contains("int");
        return converts ? "cannot convert " + found + " to " + wanted : "unrecognized type: " + wanted;
    }

    /** The configuration of a kind that an apply brings, in YAML or JSON. */
    static ObjectNode configuration(Call call, String kind, String apiVersion, WriteOptions options) {
        Json.Document document;
        try {
            document = Json.readYaml(call.body());
        } catch (IOException e) {
            throw StatusException.badRequest("error decoding YAML: error converting YAML to JSON: " + e.getMessage());
        }
        JsonNode node = document.node();
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
        Strictness.ofApplied(options, document.duplicates());
        return configuration;
    }

    static StatusException status(PatchException e) {
        String message = String.valueOf(e.getMessage());
        return switch (e.code()) {
            case 400 -> StatusException.badRequest(message);
            case 413 -> new StatusException(413, "RequestEntityTooLarge", "Request entity too large: " + message, null);
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

    private static Json.Document body(Call call, boolean strictly) {
        String type = call.contentType();
        String prefix = type.equals(STRATEGIC) ? "" : "error decoding patch: ";
        Json.Document document;
        try {
            document = Json.read(call.body());
        } catch (IOException e) {
            if (type.equals(MERGE) && !strictly) {
                throw new StatusException(500, "", "Invalid JSON Patch", null);
            }
            throw StatusException.badRequest(prefix + e.getMessage());
        }
        JsonNode node = document.node();
        boolean fits = type.equals(JSON) ? node.isArray() : node.isObject();
        if (type.equals(JSON) && node.isArray()) {
            document = new Json.Document(node, withOddFields(node, document.duplicates()));
        }
        if (strictly && node.isMissingNode()) {
            throw StatusException.badRequest(prefix + "unexpected end of JSON input");
        }
        if (strictly && !fits && !node.isNull()) {
            throw StatusException.badRequest(prefix + "json: cannot unmarshal " + GoText.jsonType(node)
                    + " into Go value of type "
                    + (type.equals(JSON) ? "[]handlers.jsonPatchOp" : "map[string]interface {}"));
        }
        return document;
    }

    private static List<String> withOddFields(JsonNode operations, List<String> duplicates) {
        List<String> all = new ArrayList<>(duplicates);
        for (int i = 0; i < operations.size(); i++) {
            for (Map.Entry<String, JsonNode> field : operations.get(i).properties()) {
                if (!OPERATION.contains(field.getKey())) {
                    all.add("unknown field \"[" + i + "]." + field.getKey() + "\"");
                }
            }
        }
        return all;
    }

    private static StatusException invalidOption(FieldCause cause) {
        return StatusException.invalid("meta.k8s.io", "PatchOptions", "", List.of(cause));
    }
}
