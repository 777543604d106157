package io.busbar.runtime.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.busbar.common.api.ApiCall;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What follows from sending a request again whose answer was lost: the API server may have done what it asks, or not.
 *
 * <p>Immutable.
 */
final class RepeatedRequest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RESOURCE_VERSION = "/metadata/resourceVersion";

    private final HttpRequest request;

    RepeatedRequest(HttpRequest request) {
        this.request = request;
    }

    /**
     * Whether the second of two equal requests does no harm: it finds done what the first did, or is refused by its
     * preconditions. So it is with reads; with objects that are replaced, applied or merged; with creates that name the
     * object; with deletes of one certain object. It is not with names that the server makes up, nor with deletes by
     * name alone, which might hit a successor.
     */
    boolean isSafe() {
        return switch (request.method()) {
            case "GET", "HEAD" -> true;
            case "PUT" -> !body().isMissingNode();
            case "PATCH" -> isSafePatch(body());
            case "POST" -> createdObject().isPresent() || isQuestion();
            case "DELETE" -> !body().at("/preconditions/uid").isMissingNode();
            default -> false;
        };
    }

    /** Where the object is read that this creates under a name of its choice; empty for all other requests. */
    Optional<URI> createdObject() {
        JsonNode name = body().at("/metadata/name");
        boolean creates = request.method().equals("POST")
                && ApiCall.of("POST", request.uri())
                        .filter(call -> call.name().isEmpty())
                        .isPresent();
        URI uri = request.uri();
        return creates && name.isTextual()
                ? Optional.of(URI.create(
                        uri.getScheme() + "://" + uri.getRawAuthority() + uri.getRawPath() + "/" + name.asText()))
                : Optional.empty();
    }

    /**
     * Whether an object is the one that this request has created, and not somebody else's of the same name.
     *
     * @param found as the server shows it now, in JSON
     */
    boolean hasCreated(byte[] found) {
        try {
            JsonNode there = JSON.readTree(found);
            JsonNode sent = body();
            JsonNode owners = sent.at("/metadata/ownerReferences");
            boolean owned = owners.isArray() && !owners.isEmpty();
            return isByUs(there) && (owned ? holds(there.path("metadata"), sent.path("metadata")) : holds(there, sent));
        } catch (IOException notAnObject) {
            return false;
        }
    }

    /** As far as the server tells who writes. */
    private boolean isByUs(JsonNode there) {
        String query = request.uri().getQuery() == null ? "" : request.uri().getQuery();
        Optional<String> manager = List.of(query.split("&")).stream()
                .filter(parameter -> parameter.startsWith("fieldManager="))
                .map(parameter -> parameter.substring("fieldManager=".length()))
                .findFirst();
        JsonNode managers = there.at("/metadata/managedFields");
        return manager.isEmpty()
                || managers.isMissingNode()
                || elements(managers)
                        .anyMatch(
                                one -> manager.get().equals(one.path("manager").asText()));
    }

    /** Whether all that was sent is there, beside what the server and its webhooks have added. */
    private static boolean holds(JsonNode there, JsonNode sent) {
        if (sent.isObject()) {
            return sent.properties().stream().allMatch(field -> holds(there.path(field.getKey()), field.getValue()));
        }
        if (sent.isArray()) {
            return elements(sent).allMatch(wanted -> elements(there).anyMatch(one -> holds(one, wanted)));
        }
        return sent.isNull() || sent.equals(there);
    }

    /** Of a collection of objects that are never kept: tokens and permissions that are to be looked at. */
    private boolean isQuestion() {
        return request.uri().getPath().endsWith("reviews");
    }

    private boolean isSafePatch(JsonNode patch) {
        return patch.isObject()
                || elements(patch)
                        .anyMatch(step -> step.path("path").asText().equals(RESOURCE_VERSION)
                                && List.of("test", "replace")
                                        .contains(step.path("op").asText()));
    }

    private JsonNode body() {
        String text = request instanceof StandardHttpRequest known ? known.bodyString() : null;
        try {
            return text == null ? MissingNode.getInstance() : JSON.readTree(text);
        } catch (JsonProcessingException notJson) {
            return MissingNode.getInstance();
        }
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
