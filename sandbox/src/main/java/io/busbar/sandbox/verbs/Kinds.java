package io.busbar.sandbox.verbs;

import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.resource.Resource;

/** Kinds as webhooks are told them. */
final class Kinds {

    private Kinds() {}

    static ObjectKind of(Resource resource) {
        return new ObjectKind(
                resource.type().group(),
                resource.type().version(),
                resource.type().kind());
    }
}
