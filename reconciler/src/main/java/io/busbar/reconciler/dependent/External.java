package io.busbar.reconciler.dependent;

import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Something that a primary asks for and that is not in the cluster: a bucket, a DNS record, an account. A part of
 * {@link Dependents}.
 *
 * <p>Called on the thread of a reconcile, so it may block, within the reconcile's timeout. Each method must be
 * idempotent: what it does may have been done before, by a process that died before it could tell. What it throws holds
 * up those that come after this one, and nothing else; the reconcile is tried again.
 *
 * @param <P> the primary
 * @param <T> what is known of the thing, with an {@code equals} by content, such as a record
 */
public interface External<P extends HasMetadata, T> {

    /** What the primary asks for. */
    T desired(P primary) throws Exception;

    /** The thing as it is; empty where there is none. Called in each reconcile, also where none is desired any more. */
    Optional<T> actual(P primary, ReconcileContext<P> context) throws Exception;

    /** Makes it. Returns it as it is now, ready or not. */
    T create(P primary, T desired, ReconcileContext<P> context) throws Exception;

    /** Changes it. Returns it as it is now, ready or not. */
    T update(P primary, T desired, T actual, ReconcileContext<P> context) throws Exception;

    /** Takes it away; may return before it is gone, and is called again as long as it is not. */
    void delete(P primary, T actual, ReconcileContext<P> context) throws Exception;

    /** Whether nothing is to be changed: both are equal, unless this says otherwise. */
    default boolean isAsDesired(T desired, T actual) {
        return desired.equals(actual);
    }
}
