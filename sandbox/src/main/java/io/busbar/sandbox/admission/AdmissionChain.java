package io.busbar.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.StatusException;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Others' say in a write: first they may change the object, then refuse it.
 *
 * <p>One context: the server's; futures complete on it, at once when nobody has a say.
 */
public interface AdmissionChain {

    /**
     * @param object not shared, may be changed; null for a deletion
     * @return the object as changed, or a failure with a {@link StatusException}
     */
    Future<@Nullable ObjectNode> mutate(AdmissionAttributes attributes, @Nullable ObjectNode object);

    Future<Void> validate(AdmissionAttributes attributes, @Nullable ObjectNode object);
}
