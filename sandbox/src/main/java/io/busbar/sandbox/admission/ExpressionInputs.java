package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.cel.AdmissionInput;
import io.busbar.sandbox.cel.AuthorizerFunctions.Decider;
import io.busbar.sandbox.cel.AuthorizerFunctions.Question;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What expressions of webhooks and policies see of a write.
 *
 * <p>One context.
 *
 * @param deciders what a caller may do
 */
public record ExpressionInputs(MemoryStore store, Function<Caller, Decider> deciders) {

    private static final GroupResource NAMESPACES = GroupResource.core("namespaces");

    /**
     * @param request as webhooks are told it
     * @param object in the version of the request that is told; null for a deletion
     * @param before in that version; null for a creation
     * @param params null for none
     */
    public AdmissionInput of(
            AdmissionAttributes attributes,
            JsonNode request,
            @Nullable ObjectNode object,
            @Nullable ObjectNode before,
            @Nullable JsonNode params) {
        Target target = attributes.target();
        Question about = Question.by(deciders.apply(attributes.options().caller()))
                .about(
                        target.resource().type().group(),
                        target.resource().type().plural(),
                        target.subresource(),
                        target.namespace(),
                        target.name());
        return new AdmissionInput(request, object, before, params, namespace(target), about);
    }

    private @Nullable ObjectNode namespace(Target target) {
        if (target.namespace().isEmpty() || target.resource().storage().equals(NAMESPACES)) {
            return null;
        }
        ObjectNode namespace = store.shelf(NAMESPACES).get(ObjectKey.of(target.namespace()));
        if (namespace == null) {
            return null;
        }
        ObjectNode told = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = Metadata.of(namespace).node().deepCopy();
        metadata.remove(List.of("managedFields", "ownerReferences", "selfLink"));
        told.set("metadata", metadata);
        told.set("spec", namespace.path("spec"));
        told.set("status", namespace.path("status"));
        return told;
    }
}
