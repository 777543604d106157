package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.resource.Resource;

/**
 * The form that a subresource gives an object, for clients and webhooks: its own, or another, such as a {@code Scale}.
 *
 * <p>Any thread.
 */
public interface View {

    ObjectKind kind();

    /** @param object not altered */
    ObjectNode of(ObjectNode object);

    /** @param object not shared; becomes what somebody has made of its form */
    ObjectNode put(ObjectNode object, ObjectNode form);

    /** Whether objects keep their own form. */
    default boolean isWhole() {
        return false;
    }

    /** The object as it is. */
    static View whole(Resource resource) {
        return new View() {
            @Override
            public ObjectKind kind() {
                return Kinds.of(resource);
            }

            @Override
            public ObjectNode of(ObjectNode object) {
                return object;
            }

            @Override
            public ObjectNode put(ObjectNode object, ObjectNode form) {
                return form;
            }

            @Override
            public boolean isWhole() {
                return true;
            }
        };
    }
}
