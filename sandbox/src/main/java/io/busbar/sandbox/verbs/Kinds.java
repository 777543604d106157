package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Kinds as others are told them, and as objects name them. Any thread. */
public final class Kinds {

    private Kinds() {}

    public static ObjectKind of(Resource resource) {
        return new ObjectKind(
                resource.type().group(),
                resource.type().version(),
                resource.type().kind());
    }

    /**
     * What is wrong with an object that is about to be written.
     *
     * @param before null for a creation
     */
    static List<FieldCause> validate(
            Resource resource, ObjectNode object, @Nullable ObjectNode before, String subresource) {
        List<FieldCause> causes = new ArrayList<>();
        if (resource.custom() != null) {
            misnamed(causes, object, "kind", resource.type().kind());
            misnamed(causes, object, "apiVersion", resource.type().apiVersion());
        }
        return causes.isEmpty() ? resource.rules().validate(object, before, subresource) : causes;
    }

    private static void misnamed(List<FieldCause> causes, ObjectNode object, String field, String name) {
        String given = object.path(field).asText();
        if (!given.equals(name)) {
            causes.add(FieldCause.invalid(field, GoText.quote(given), "must be " + name));
        }
    }
}
