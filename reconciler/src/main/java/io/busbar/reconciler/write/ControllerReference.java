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

    /**
     * Empty where the two are in different clusters, too.
     *
     * @param here whether the object is in the owner's cluster
     */
    static Optional<OwnerReference> to(HasMetadata owner, boolean here, HasMetadata desired) {
        return here ? to(owner, desired) : Optional.empty();
    }

    /** Empty where the object has another controller, is the owner itself, or is out of a namespaced owner's reach. */
    static Optional<OwnerReference> to(HasMetadata owner, HasMetadata desired) {
        String namespace = Objects.requireNonNullElse(owner.getMetadata().getNamespace(), "");
        boolean inReach =
                namespace.isEmpty() || namespace.equals(desired.getMetadata().getNamespace());
        boolean controlled = of(desired).isPresent();
        return inReach && !isItself(owner, desired) && !controlled ? Optional.of(reference(owner)) : Optional.empty();
    }

    /** Whether an object is the owner. */
    static boolean isItself(HasMetadata owner, HasMetadata object) {
        return owner.getKind().equals(object.getKind())
                && group(owner).equals(group(object))
                && ObjectKey.of(owner).equals(ObjectKey.of(object));
    }

    private static String group(HasMetadata object) {
        String apiVersion = object.getApiVersion();
        return apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
    }

    /** The one that an object has. */
    static Optional<OwnerReference> of(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                .findFirst();
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
