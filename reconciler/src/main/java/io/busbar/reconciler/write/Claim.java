package io.busbar.reconciler.write;

import io.busbar.reconciler.ObjectNotOwnedException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Optional;

/**
 * What makes an object that is there already the owner's to apply.
 *
 * <p>Where a reference can be, it is the controller's. Where none can, as in another namespace, it is that the field
 * manager has written to the object before, which a store does not show. The owner itself needs nothing. Immutable.
 *
 * @param fieldManager of the controller
 * @param controller who has to control the object; empty where no reference can tell
 * @param itself whether the object is the owner
 * @param adopts whether one without a controller will do
 */
record Claim(String fieldManager, Optional<OwnerReference> controller, boolean itself, boolean adopts) {

    /**
     * @param here whether the object is in the owner's cluster
     * @param reference that the object is to get from its owner
     */
    static Claim of(
            HasMetadata owner,
            boolean here,
            HasMetadata desired,
            Optional<OwnerReference> reference,
            String fieldManager,
            boolean adopts) {
        return new Claim(
                fieldManager,
                reference.or(() -> ControllerReference.of(desired)),
                here && ControllerReference.isItself(owner, desired),
                adopts);
    }

    /** Whether a store's object is enough to tell. */
    boolean isToldByReference() {
        return itself || controller.isPresent();
    }

    /**
     * @param managers of the object's fields; empty when they are not known
     * @throws ObjectNotOwnedException when the object is somebody else's
     */
    void require(HasMetadata object, List<ManagedFieldsEntry> managers) {
        Optional<OwnerReference> present = ControllerReference.of(object);
        boolean ours = controller
                .map(wanted -> present.filter(other -> other.getUid().equals(wanted.getUid()))
                        .isPresent())
                .orElseGet(() -> managers.stream().anyMatch(entry -> fieldManager.equals(entry.getManager())));
        if (!itself && !ours && !(adopts && present.isEmpty())) {
            throw ObjectNotOwnedException.of(object);
        }
    }
}
