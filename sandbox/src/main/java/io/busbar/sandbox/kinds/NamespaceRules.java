package io.busbar.sandbox.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.metadata.MetadataValidation;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.storage.Metadata;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of Namespaces: each has a label with its name, and a finalizer in its spec. Any thread. */
final class NamespaceRules extends BuiltInRules {

    private static final String NAME_LABEL = "kubernetes.io/metadata.name";
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    NamespaceRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void fillDefaults(ObjectNode namespace) {
        String name = Metadata.of(namespace).name();
        if (!name.isEmpty()) {
            Fields.in(Fields.in(namespace, "metadata"), "labels").put(NAME_LABEL, name);
        }
    }

    @Override
    protected void prepareNew(ObjectNode namespace) {
        ArrayNode finalizers = namespace.withObject("/spec").withArray("/finalizers");
        if (!finalizers.toString().contains("\"kubernetes\"")) {
            finalizers.add("kubernetes");
        }
    }

    /** Its finalizers are changed by a request of their own. */
    @Override
    public void prepareForUpdate(ObjectNode namespace, ObjectNode before, String subresource) {
        super.prepareForUpdate(namespace, before, subresource);
        if (subresource.isEmpty()) {
            Fields.restore(namespace, before, "spec");
        }
    }

    @Override
    public String refusalOfDeletion(String name) {
        return IMMORTAL.contains(name) ? "this namespace may not be deleted" : "";
    }

    @Override
    protected void check(Causes causes, ObjectNode namespace, @Nullable ObjectNode before, String subresource) {
        JsonNode finalizers = namespace.path("spec").path("finalizers");
        if (before == null || subresource.equals("finalize")) {
            for (int i = 0; i < finalizers.size(); i++) {
                MetadataValidation.finalizer(
                        causes,
                        "spec.finalizers" + (before == null ? "" : "[" + i + "]"),
                        finalizers.path(i).asText());
            }
        }
        boolean deleting = namespace.path("metadata").has("deletionTimestamp");
        String phase = namespace.path("status").path("phase").asText("");
        if (subresource.equals("status") && !phase.equals(deleting ? "Terminating" : "Active")) {
            causes.invalid(
                    "status.Phase",
                    phase,
                    deleting
                            ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
                            : "may only be 'Active' if `deletionTimestamp` is empty");
        }
    }
}
