package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.request.DeleteOptions;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.storage.GroupResource;
import org.jspecify.annotations.Nullable;

/**
 * What those who have a say are told of a request, beside the object.
 *
 * <p>Immutable.
 *
 * @param operation {@code CREATE}, {@code UPDATE}, {@code DELETE} or {@code CONNECT}
 * @param target without a name for one of the objects of a collection that is deleted
 * @param kind of the object in the request, such as {@code Scale} on a subresource
 * @param told the options as the client gave them, with their kind; not to be changed
 * @param before in the form of that kind, in the request's version; null for a creation
 */
public record AdmissionAttributes(
        String operation,
        Target target,
        ObjectKind kind,
        WriteOptions options,
        ObjectNode told,
        @Nullable ObjectNode before) {

    private static final GroupResource NAMESPACES = GroupResource.core("namespaces");

    /** A kind by group, version and name. */
    public record ObjectKind(String group, String version, String kind) {

        public String apiVersion() {
            return group.isEmpty() ? version : group + "/" + version;
        }
    }

    public static AdmissionAttributes create(Target target, ObjectKind kind, WriteOptions options) {
        ObjectNode told = told("CreateOptions", options, options.asked());
        return new AdmissionAttributes("CREATE", target, kind, options, told, null);
    }

    public static AdmissionAttributes update(Target target, ObjectKind kind, WriteOptions options, ObjectNode before) {
        ObjectNode told = told("UpdateOptions", options, options.asked());
        return new AdmissionAttributes("UPDATE", target, kind, options, told, before);
    }

    public static AdmissionAttributes delete(
            Target target, ObjectKind kind, WriteOptions options, DeleteOptions how, ObjectNode before) {
        return new AdmissionAttributes(
                "DELETE", target, kind, options, told("DeleteOptions", options, how.asked()), before);
    }

    private static ObjectNode told(String kind, WriteOptions options, ObjectNode asked) {
        ObjectNode told = JsonNodeFactory.instance.objectNode();
        told.put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
        told.setAll(asked);
        if (options.dryRun()) {
            told.putArray("dryRun").add("All");
        }
        return told;
    }

    /** A Namespace is in itself. */
    public String namespace() {
        return target.resource().storage().equals(NAMESPACES) ? target.name() : target.namespace();
    }
}
