package io.busbar.sandbox.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request that fails with a {@code Status} body. The texts are the real API server's (apimachinery,
 * {@code api/errors}).
 *
 * <p>Immutable. It has no stack trace: it tells the client, not the developer.
 */
public final class StatusException extends RuntimeException {

    private final int code;
    private final String reason;
    private final @Nullable ObjectNode details;
    private final String continuation;

    /** @param reason empty for none */
    public StatusException(int code, String reason, String message, @Nullable ObjectNode details) {
        this(code, reason, message, details, "");
    }

    private StatusException(
            int code, String reason, String message, @Nullable ObjectNode details, String continuation) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.details = details;
        this.continuation = continuation;
    }

    public static StatusException badRequest(String message) {
        return new StatusException(400, "BadRequest", message, null);
    }

    public static StatusException notFound(ResourceName resource, String name) {
        return new StatusException(404, "NotFound", resource + " \"" + name + "\" not found", details(resource, name));
    }

    /** Nobody knows who asks. */
    public static StatusException unauthorized() {
        return new StatusException(401, "Unauthorized", "Unauthorized", null);
    }

    /** No such URL. */
    public static StatusException unknownResource() {
        return new StatusException(404, "NotFound", "the server could not find the requested resource", empty());
    }

    public static StatusException methodNotAllowed() {
        return new StatusException(
                405, "MethodNotAllowed", "the server does not allow this method on the requested resource", empty());
    }

    public static StatusException notAcceptable(List<String> accepted) {
        return notAcceptable("only the following media types are accepted: " + String.join(", ", accepted));
    }

    public static StatusException notAcceptable(String why) {
        return new StatusException(406, "NotAcceptable", why, null);
    }

    public static StatusException unsupportedMediaType(List<String> accepted) {
        return new StatusException(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: "
                        + String.join(", ", accepted),
                null);
    }

    public static StatusException alreadyExists(ResourceName resource, String name) {
        return new StatusException(
                409, "AlreadyExists", resource + " \"" + name + "\" already exists", details(resource, name));
    }

    public static StatusException conflict(ResourceName resource, String name, String why) {
        return new StatusException(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + why,
                details(resource, name));
    }

    /** Somebody else wrote the object since the client read it. */
    public static StatusException modified(ResourceName resource, String name) {
        return conflict(
                resource,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    public static StatusException forbidden(ResourceName resource, String name, String why, FieldCause... causes) {
        ObjectNode details = details(resource, name);
        if (causes.length > 0) {
            details.set("causes", array(List.of(causes)));
        }
        return new StatusException(403, "Forbidden", resource + " \"" + name + "\" is forbidden: " + why, details);
    }

    /** @param causes at least one */
    public static StatusException invalid(String group, String kind, String name, List<FieldCause> causes) {
        ObjectNode details = details(group, kind, name);
        details.set("causes", array(causes));
        String qualified = group.isEmpty() ? kind : kind + "." + group;
        List<String> lines = causes.stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .distinct()
                .toList();
        String text = lines.size() == 1 ? lines.get(0) : lines.stream().collect(Collectors.joining(", ", "[", "]"));
        return new StatusException(422, "Invalid", qualified + " \"" + name + "\" is invalid: " + text, details);
    }

    public static StatusException expired(String message) {
        return new StatusException(410, "Expired", message, null);
    }

    /** @param continuation with which the rest can be had as it is now */
    public static StatusException expiredList(String continuation) {
        return new StatusException(
                410,
                "Expired",
                "The provided continue parameter is too old to display a consistent list result. You can start a new"
                        + " list without the continue parameter, or use the continue token in this response to retrieve"
                        + " the remainder of the results. Continuing with the provided token results in an inconsistent"
                        + " list - objects that were created, modified, or deleted between the time the first chunk was"
                        + " returned and now may show up in the list.",
                null,
                continuation);
    }

    public static StatusException internal(String message) {
        ObjectNode details = empty();
        details.putArray("causes").addObject().put("message", message);
        return new StatusException(500, "InternalError", "Internal error occurred: " + message, details);
    }

    /** The same with words before its message. */
    public StatusException prefixed(String words) {
        return new StatusException(code, reason, words + getMessage(), details);
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    /** What goes over the wire. */
    public ObjectNode body() {
        ObjectNode body = empty();
        body.put("kind", "Status").put("apiVersion", "v1");
        ObjectNode metadata = body.putObject("metadata");
        if (!continuation.isEmpty()) {
            metadata.put("continue", continuation);
        }
        body.put("status", "Failure");
        String message = getMessage();
        if (message != null && !message.isEmpty()) {
            body.put("message", message);
        }
        if (!reason.isEmpty()) {
            body.put("reason", reason);
        }
        if (details != null) {
            body.set("details", details);
        }
        return body.put("code", code);
    }

    private static ArrayNode array(List<FieldCause> causes) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (FieldCause cause : causes) {
            ObjectNode node = array.addObject();
            node.put("reason", cause.reason()).put("message", cause.message());
            if (!cause.field().isEmpty()) {
                node.put("field", cause.field());
            }
        }
        return array;
    }

    private static ObjectNode details(ResourceName resource, String name) {
        return details(resource.group(), resource.plural(), name);
    }

    private static ObjectNode details(String group, String kind, String name) {
        ObjectNode details = empty();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!group.isEmpty()) {
            details.put("group", group);
        }
        if (!kind.isEmpty()) {
            details.put("kind", kind);
        }
        return details;
    }

    private static ObjectNode empty() {
        return JsonNodeFactory.instance.objectNode();
    }
}
