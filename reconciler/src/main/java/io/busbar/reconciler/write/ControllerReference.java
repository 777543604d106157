package io.busbar.reconciler.write;

import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Objects;
import java.util.Optional;

/** The reference that makes an object the primary's to control. Pure; any thread. */
final class ControllerReference {

    private ControllerReference() {}

    /** Empty where the object has another controller, is the owner itself, or is out of a namespaced owner's reach. */
    static Optional<OwnerReference> to(HasMetadata owner, HasMetadata desired) {
        String namespace = Objects.requireNonNullElse(owner.getMetadata().getNamespace(), "");
        boolean inReach =
                namespace.isEmpty() || namespace.equals(desired.getMetadata().getNamespace());
        boolean itself =
                owner.getKind().equals(desired.getKind()) && ObjectKey.of(owner).equals(ObjectKey.of(desired));
        boolean controlled = desired.getMetadata().getOwnerReferences().stream()
                .anyMatch(reference -> Boolean.TRUE.equals(reference.getController()));
        return inReach && !itself && !controlled ? Optional.of(reference(owner)) : Optional.empty();
    }

    private static OwnerReference reference(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }
}
