package io.busbar.sandbox.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.verbs.Caller;

/** What expressions are told of a request. Any thread. */
final class Requests {

    private Requests() {}

    /** @param type the version in which the policy sees the objects */
    static ObjectNode of(AdmissionAttributes attributes, ResourceType type) {
        ResourceType own = attributes.target().resource().type();
        boolean ofObject = attributes.kind().kind().equals(own.kind());
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        JsonNode requested = kind(
                attributes.kind().group(),
                attributes.kind().version(),
                attributes.kind().kind());
        request.set("kind", ofObject ? kind(type.group(), type.version(), type.kind()) : requested);
        request.set("resource", resource(type));
        request.set("requestKind", requested);
        request.set("requestResource", resource(own));
        put(request, "subResource", attributes.target().subresource());
        put(request, "requestSubResource", attributes.target().subresource());
        put(request, "name", attributes.target().name());
        put(request, "namespace", attributes.target().namespace());
        request.put("operation", attributes.operation());
        request.put("dryRun", attributes.options().dryRun());
        request.set("userInfo", user(attributes.options().caller()));
        request.set("options", JsonNodeFactory.instance.objectNode());
        return request;
    }

    private static void put(ObjectNode request, String field, String text) {
        if (!text.isEmpty()) {
            request.put(field, text);
        }
    }

    private static JsonNode kind(String group, String version, String kind) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("group", group)
                .put("version", version)
                .put("kind", kind);
    }

    private static JsonNode resource(ResourceType type) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("group", type.group())
                .put("version", type.version())
                .put("resource", type.plural());
    }

    private static JsonNode user(Caller caller) {
        ObjectNode user = JsonNodeFactory.instance.objectNode().put("username", caller.username());
        put(user, "uid", caller.uid());
        caller.groups().forEach(user.putArray("groups")::add);
        caller.extra()
                .forEach((key, values) ->
                        values.forEach(user.withObject("/extra").withArray(key)::add));
        return user;
    }
}
