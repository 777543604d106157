package io.busbar.sandbox.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.syntax.GoText;

/**
 * What somebody wants to do.
 *
 * <p>Immutable.
 *
 * @param resource the plural name; may be empty only in a question
 * @param namespace empty for the cluster scope and for all namespaces
 * @param name empty for a collection
 * @param path for what is no resource; empty otherwise
 */
public record AccessRequest(
        String verb, String group, String resource, String subresource, String namespace, String name, String path) {

    /** To something below {@code /api} or {@code /apis}. */
    public static AccessRequest resource(String verb, GroupResource resource, String namespace, String name) {
        return new AccessRequest(verb, resource.group(), resource.plural(), "", namespace, name, "");
    }

    /** To what a request is about. */
    public static AccessRequest of(String verb, Target target) {
        GroupResource resource = target.resource().named();
        return new AccessRequest(
                verb, resource.group(), resource.plural(), target.subresource(), target.namespace(), target.name(), "");
    }

    /** To anything else. */
    public static AccessRequest path(String verb, String path) {
        return new AccessRequest(verb, "", "", "", "", "", path);
    }

    /** The same to be done in another way. */
    public AccessRequest withVerb(String other) {
        return new AccessRequest(other, group, resource, subresource, namespace, name, path);
    }

    /** Whether it is to no resource. */
    public boolean isPath() {
        return !path.isEmpty();
    }

    /** Such as {@code pods} or {@code pods/status}. */
    public String wholeResource() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }

    /**
     * The answer when it is not allowed.
     *
     * @param reason empty for none
     */
    public StatusException denied(Caller caller, String reason) {
        String why = "User " + GoText.quote(caller.username()) + " cannot " + verb + " " + whereabouts()
                + (reason.isEmpty() ? "" : ": " + reason);
        if (isPath()) {
            return new StatusException(403, "Forbidden", "forbidden: " + why, JsonNodeFactory.instance.objectNode());
        }
        GroupResource about = new GroupResource(group, resource);
        if (!name.isEmpty()) {
            return StatusException.forbidden(about, name, why);
        }
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        if (!group.isEmpty()) {
            details.put("group", group);
        }
        details.put("kind", resource);
        return new StatusException(403, "Forbidden", about + " is forbidden: " + why, details);
    }

    private String whereabouts() {
        if (isPath()) {
            return "path " + GoText.quote(path);
        }
        String what = "resource " + GoText.quote(wholeResource()) + " in API group " + GoText.quote(group);
        return what + (namespace.isEmpty() ? " at the cluster scope" : " in the namespace " + GoText.quote(namespace));
    }
}
