package io.busbar.reconciler.write;

import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;
import java.util.Optional;

/** The reference that makes an object the primary's to control. Pure; any thread. */
final class ControllerReference {

    /** As the API server answers to a second controller. */
    private static final int UNPROCESSABLE = 422;

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

    /**
     * Makes sure that an object is controlled by this owner.
     *
     * @throws KubernetesClientException a refusal, since only a person can tell whose the object is
     */
    static void require(HasMetadata current, OwnerReference owner) {
        Optional<OwnerReference> controller = current.getMetadata().getOwnerReferences().stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                .findFirst();
        if (controller.filter(other -> other.getUid().equals(owner.getUid())).isEmpty()) {
            String message = current.getKind() + " " + ObjectKey.of(current) + " is there already and "
                    + controller
                            .map(other -> "is controlled by " + other.getKind() + " " + other.getName() + " (uid "
                                    + other.getUid() + ")")
                            .orElse("has no controller")
                    + ": it is left alone";
            throw new KubernetesClientException(message, UNPROCESSABLE, status(message));
        }
    }

    private static Status status(String message) {
        return new StatusBuilder()
                .withStatus("Failure")
                .withReason("Invalid")
                .withCode(UNPROCESSABLE)
                .withMessage(message)
                .build();
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
