package io.busbar.reconciler;

import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/**
 * An object that is to be applied is there already and is somebody else's: it was left as it is.
 *
 * <p>Only a person can tell whose it should be, so this counts as refused by the API server, which answers with the
 * same code (422) to a second controller. A watch need not show the object, so a reconcile that goes on without it has
 * to look again after a while.
 */
public final class ObjectNotOwnedException extends KubernetesClientException {

    /** For a condition or an Event. */
    public static final String REASON = "ObjectNotOwned";

    private static final long serialVersionUID = 1;
    private static final int UNPROCESSABLE = 422;

    private ObjectNotOwnedException(String message) {
        super(
                message,
                UNPROCESSABLE,
                new StatusBuilder()
                        .withStatus("Failure")
                        .withReason("Invalid")
                        .withCode(UNPROCESSABLE)
                        .withMessage(message)
                        .build());
    }

    /**
     * @param object as it is there
     */
    public static ObjectNotOwnedException of(HasMetadata object) {
        Optional<OwnerReference> controller = object.getMetadata().getOwnerReferences().stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                .findFirst();
        return of(
                object,
                controller
                        .map(other -> "is controlled by " + other.getKind() + " " + other.getName() + " (uid "
                                + other.getUid() + ")")
                        .orElse("has no controller"));
    }

    /**
     * The same, for one of which something else than a reference tells whose it is.
     *
     * @param other whose it is
     */
    public static ObjectNotOwnedException of(HasMetadata object, HasMetadata other) {
        return of(object, "is of " + other.getKind() + " " + ObjectKey.of(other));
    }

    private static ObjectNotOwnedException of(HasMetadata object, String whose) {
        return new ObjectNotOwnedException(object.getKind() + " " + ObjectKey.of(object) + " is there already and "
                + whose + ": it is left alone");
    }
}
