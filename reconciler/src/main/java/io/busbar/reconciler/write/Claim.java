package io.busbar.reconciler.write;

import io.busbar.common.ObjectKey;
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
 * manager has written to the object before, which a store does not show. The owner itself needs nothing, but that it is
 * still the one that it was. Immutable.
 *
 * @param fieldManager of the controller
 * @param controller who has to control the object; empty where no reference can tell
 * @param itself the uid of the owner where the object is that; empty where it is another one
 * @param adopts whether one without a controller will do
 */
record Claim(String fieldManager, Optional<OwnerReference> controller, Optional<String> itself, boolean adopts) {

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
                here && ControllerReference.isItself(owner, desired)
                        ? Optional.ofNullable(owner.getMetadata().getUid())
                        : Optional.empty(),
                adopts);
    }

    /** Whether a store's object is enough to tell. */
    boolean isToldByReference() {
        return itself.isPresent() || controller.isPresent();
    }

    /**
     * @param managers of the object's fields; empty when they are not known
     * @throws ObjectNotOwnedException when the object is somebody else's
     * @throws OutdatedPrimaryException when it has the name of the owner, and is another one
     */
    void require(HasMetadata object, List<ManagedFieldsEntry> managers) {
        if (itself.isPresent()) {
            if (!itself.get().equals(object.getMetadata().getUid())) {
                throw gone(object);
            }
            return;
        }
        Optional<OwnerReference> present = ControllerReference.of(object);
        boolean ours = controller
                .map(wanted -> present.filter(other -> other.getUid().equals(wanted.getUid()))
                        .isPresent())
                .orElseGet(() -> managers.stream().anyMatch(entry -> fieldManager.equals(entry.getManager())));
        if (!ours && !(adopts && present.isEmpty())) {
            throw ObjectNotOwnedException.of(object);
        }
    }

    /**
     * What is not there is made, but for the owner itself: somebody has deleted that.
     *
     * @throws OutdatedPrimaryException when the object is the owner
     */
    void requireOther(HasMetadata desired) {
        if (itself.isPresent()) {
            throw gone(desired);
        }
    }

    private static OutdatedPrimaryException gone(HasMetadata owner) {
        return new OutdatedPrimaryException(
                "the " + owner.getKind() + " " + ObjectKey.of(owner) + " has gone meanwhile: it is not made again");
    }
}
