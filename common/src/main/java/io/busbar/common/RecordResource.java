package io.busbar.common;

import io.fabric8.kubernetes.client.CustomResource;
import org.jspecify.annotations.Nullable;

/**
 * A custom resource whose spec and status are records: none until it is read, as a record cannot be made empty by the client.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 *
 * @param <S> the spec
 * @param <T> the status
 */
public abstract class RecordResource<S, T> extends CustomResource<S, T> {

    private static final long serialVersionUID = 1L;

    @Override
    protected final @Nullable S initSpec() {
        return null;
    }

    @Override
    protected final @Nullable T initStatus() {
        return null;
    }
}
