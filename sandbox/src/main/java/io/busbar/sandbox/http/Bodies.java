package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.model.ModelType;
import io.busbar.sandbox.model.Type;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.wire.ProtobufDecoder;
import io.busbar.sandbox.wire.WireException;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/** Reads the bodies of requests, and refuses them in the real server's words. Any thread. */
final class Bodies {

    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final List<String> ACCEPTED = List.of("application/json", "application/yaml", PROTOBUF);

    private static final int EXCERPT = 30;
    private static final String UNREADABLE = "couldn't get version/kind; json parse error: ";

    private Bodies() {}

    /** An object of a kind. Built-in kinds may leave out kind and apiVersion, custom ones may not. */
    static ObjectNode object(Call call, Resource resource, WriteOptions options) {
        return object(call, resource.type(), resource.custom() != null, options, resource.rules()::unknownFields);
    }

    /** An object of a built-in kind that only comes in requests. */
    static ObjectNode object(Call call, String kind, String apiVersion, WriteOptions options) {
        int slash = apiVersion.indexOf('/');
        ResourceType type = new ResourceType(
                slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind, "", true);
        return object(call, type, false, options, ModelType.of(type)::unknownFields);
    }

    private static ObjectNode object(
            Call call,
            ResourceType type,
            boolean custom,
            WriteOptions options,
            Function<ObjectNode, List<String>> unknown) {
        Json.Document document = document(call, type.kind());
        JsonNode body = document.node().isNull() ? JsonNodeFactory.instance.objectNode() : document.node();
        if (!(body instanceof ObjectNode object)) {
            throw unrecognized(
                    type.kind(),
                    UNREADABLE + (body.isMissingNode() ? "unexpected end of JSON input" : GoText.unmarshalable(body)),
                    call.body());
        }
        String actual = object.path("kind").asText("");
        String version = object.path("apiVersion").asText("");
        if (version.indexOf('/') != version.lastIndexOf('/')) {
            throw unrecognized(type.kind(), "unexpected GroupVersion string: " + version, call.body());
        }
        if (custom && actual.isEmpty()) {
            throw StatusException.badRequest("the object provided is unrecognized (must be of type " + type.kind()
                    + "): Object 'Kind' is missing in '" + call.body() + "' (" + excerpt(call.body()) + ")");
        }
        if (custom) {
            checkCustom(object, actual, version, type.kind(), type.apiVersion());
        } else {
            checkBuiltIn(actual, version, type.kind(), type.apiVersion());
        }
        boolean inOnePass = !custom
                && !document.duplicates().isEmpty()
                && !call.contentType().endsWith("yaml");
        Strictness.ofBody(
                type,
                options,
                () -> inOnePass
                        ? Json.problems(call.body(), unknown.apply(object))
                        : Strictness.together(document.duplicates(), unknown.apply(object)));
        return headed(object, type.kind(), type.apiVersion());
    }

    /** The body as it is, by its content type. */
    static JsonNode node(Call call, String kind) {
        return document(call, kind).node();
    }

    private static Json.Document document(Call call, String kind) {
        String type = call.contentType();
        if (!type.isEmpty() && !ACCEPTED.contains(type) && call.body().length() > 0) {
            throw StatusException.unsupportedMediaType(ACCEPTED);
        }
        boolean yaml = type.equals("application/yaml");
        try {
            return type.equals(PROTOBUF)
                    ? new Json.Document(ProtobufDecoder.decode(call.body().getBytes()), List.of())
                    : yaml ? Json.readYaml(call.body()) : Json.read(call.body());
        } catch (WireException e) {
            throw unrecognized(kind, String.valueOf(e.getMessage()), call.body());
        } catch (IOException e) {
            throw unrecognized(kind, (yaml ? "" : UNREADABLE) + e.getMessage(), call.body());
        }
    }

    /** The options of a deletion, which the real server reads without a word about their kind. */
    static JsonNode options(Call call) {
        JsonNode body;
        try {
            body = node(call, "DeleteOptions");
        } catch (StatusException refused) {
            String message = String.valueOf(refused.getMessage());
            int start = message.indexOf(UNREADABLE);
            if (start < 0) {
                throw refused;
            }
            throw StatusException.badRequest(message.substring(start, message.lastIndexOf(" (")));
        }
        return body;
    }

    private static void checkCustom(ObjectNode object, String actual, String version, String kind, String apiVersion) {
        if (version.isEmpty()) {
            throw StatusException.badRequest(kind + " in version \""
                    + apiVersion.substring(apiVersion.indexOf('/') + 1)
                    + "\" cannot be handled as a " + kind + ": unmarshalerDecoder: Object 'apiVersion' is missing in '"
                    + new String(Json.write(object), StandardCharsets.UTF_8)
                    + "'");
        }
        if (!version.equals(apiVersion)) {
            throw StatusException.badRequest("the API version in the data (" + version
                    + ") does not match the expected API version (" + apiVersion + ")");
        }
        if (!actual.equals(kind)) {
            throw StatusException.invalid(
                    apiVersion.substring(0, apiVersion.indexOf('/')),
                    actual,
                    object.path("metadata").path("name").asText(""),
                    List.of(FieldCause.invalid("kind", "\"" + actual + "\"", "must be " + kind)));
        }
    }

    private static void checkBuiltIn(String actual, String version, String kind, String apiVersion) {
        String given = version.isEmpty() ? apiVersion : version;
        String named = actual.isEmpty() ? kind : actual;
        if (named.equals(kind) && given.equals(apiVersion)) {
            return;
        }
        if (named.equals(kind) && OldVersions.of(kind).contains(given)) {
            throw StatusException.badRequest("the API version in the data (" + given
                    + ") does not match the expected API version (" + apiVersion + ")");
        }
        throw StatusException.badRequest(named + " in version \"" + shortVersion(given) + "\" cannot be handled as a "
                + kind + ": " + unfit(named, given, kind, apiVersion));
    }

    /** Why an object of one kind is none of another built-in one. */
    static String unfit(String actual, String version, String kind, String apiVersion) {
        int slash = version.indexOf('/');
        String group = slash < 0 ? "" : version.substring(0, slash);
        boolean known = actual.equals("List")
                ? version.equals("v1")
                : Type.find(group, shortVersion(version), actual.replaceFirst("List$", "")) != null;
        return known
                ? GoText.unconvertible(version, actual, apiVersion, kind)
                : "no kind \"" + actual + "\" is registered for version \"" + version
                        + "\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"";
    }

    private static String shortVersion(String apiVersion) {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    /** Kind and version first, as people expect to read them. */
    private static ObjectNode headed(ObjectNode object, String kind, String apiVersion) {
        ObjectNode headed = object.objectNode();
        headed.put("kind", kind).put("apiVersion", apiVersion);
        headed.setAll(object);
        return headed.put("kind", kind).put("apiVersion", apiVersion);
    }

    private static StatusException unrecognized(String kind, String why, Buffer body) {
        return StatusException.badRequest("the object provided is unrecognized (must be of type " + kind + "): " + why
                + " (" + excerpt(body) + ")");
    }

    /** The beginning of a body, as the real server quotes it (apimachinery's {@code summarizeData}). */
    private static String excerpt(Buffer body) {
        if (body.length() == 0) {
            return "<empty>";
        }
        Buffer head = body.slice(0, Math.min(EXCERPT, body.length()));
        String text = body.getByte(0) == '{' ? head.toString() : HexFormat.of().formatHex(head.getBytes());
        return body.length() > EXCERPT ? text + " ..." : text;
    }
}
