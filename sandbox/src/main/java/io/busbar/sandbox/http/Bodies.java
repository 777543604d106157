package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

/** Reads the bodies of requests, and refuses them in the real server's words. Any thread. */
final class Bodies {

    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final List<String> ACCEPTED = List.of("application/json", "application/yaml", PROTOBUF);

    private static final int EXCERPT = 1024;
    private static final String UNREADABLE = "couldn't get version/kind; json parse error: ";

    private Bodies() {}

    /** An object of a kind. Built-in kinds may leave out kind and apiVersion, custom ones may not. */
    static ObjectNode object(Call call, Resource resource) {
        return object(call, resource.type().kind(), resource.type().apiVersion(), resource.custom() != null);
    }

    static ObjectNode object(Call call, String kind, String apiVersion, boolean custom) {
        JsonNode body = node(call, kind);
        if (!(body instanceof ObjectNode object)) {
            throw unrecognized(kind, GoText.unmarshalable(body), call.body());
        }
        String actual = object.path("kind").asText("");
        String version = object.path("apiVersion").asText("");
        if (custom) {
            checkCustom(object, actual, version, kind, apiVersion);
        } else {
            checkBuiltIn(actual, version, kind, apiVersion);
        }
        return headed(object, kind, apiVersion);
    }

    /** The body as it is, by its content type; an empty one is an empty object. */
    static JsonNode node(Call call, String kind) {
        String type = call.contentType();
        if (!type.isEmpty() && !ACCEPTED.contains(type) && call.body().length() > 0) {
            throw StatusException.unsupportedMediaType(ACCEPTED);
        }
        if (type.equals(PROTOBUF)) {
            try {
                return ProtobufDecoder.decode(call.body().getBytes());
            } catch (WireException e) {
                throw StatusException.badRequest(
                        "the object provided is unrecognized (must be of type " + kind + "): " + e.getMessage());
            }
        }
        if (type.equals("application/yaml")) {
            try {
                return Json.readYaml(call.body());
            } catch (IOException e) {
                throw unrecognized(kind, "yaml: " + firstLine(e), call.body());
            }
        }
        try {
            return Json.read(call.body());
        } catch (IOException e) {
            throw unrecognized(kind, reason(call.body()), call.body());
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
        for (String field : List.of("kind", "apiVersion")) {
            if (object.path(field).asText("").isEmpty()) {
                String name = field.equals("kind") ? "Kind" : "apiVersion";
                throw StatusException.badRequest(kind + " in version \""
                        + apiVersion.substring(apiVersion.indexOf('/') + 1)
                        + "\" cannot be handled as a " + kind + ": unmarshalerDecoder: Object '" + name
                        + "' is missing in '" + new String(Json.write(object), StandardCharsets.UTF_8)
                        + "'");
            }
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
        if (!given.equals(apiVersion)) {
            throw StatusException.badRequest(named + " in version \"" + shortVersion(given)
                    + "\" cannot be handled as a " + kind + ": no kind \"" + named + "\" is registered for version \""
                    + given + "\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"");
        }
        if (!named.equals(kind)) {
            throw StatusException.badRequest(named + " in version \"" + shortVersion(given)
                    + "\" cannot be handled as a " + kind + ": "
                    + GoText.unconvertible(given, named, apiVersion, kind));
        }
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
        return StatusException.badRequest("the object provided is unrecognized (must be of type " + kind + "): "
                + UNREADABLE + why + " (" + excerpt(body) + ")");
    }

    private static String reason(Buffer body) {
        String text = body.toString().stripTrailing();
        if (text.isEmpty() || (text.startsWith("{") && !text.endsWith("}"))) {
            return "unexpected end of JSON input";
        }
        return "invalid character in JSON input";
    }

    private static String firstLine(IOException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
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
