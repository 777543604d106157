package io.busbar.common;

import io.fabric8.kubernetes.client.CustomResource;
import org.jspecify.annotations.Nullable;

/**
 * A custom resource whose spec and status are records: none until it is read, as a record cannot be made empty by the
 * client.
 *
 * <pre>{@code
 * public final class Widget extends RecordResource<Widget, WidgetSpec, WidgetStatus> implements Namespaced {}
 * }</pre>
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 *
 * @param <R> the kind itself
 * @param <S> the spec
 * @param <T> the status
 */
public abstract class RecordResource<R extends RecordResource<R, S, T>, S, T> extends CustomResource<S, T>
        implements Cloneable {

    private static final long serialVersionUID = 1L;

    /** The same object with another status. Metadata and spec are shared with this one, which stays as it is. */
    public final R with(T status) {
        R copy = copy();
        copy.setStatus(status);
        return copy;
    }

    /** The same object with another spec. Metadata and status are shared with this one, which stays as it is. */
    public final R withSpec(S spec) {
        R copy = copy();
        copy.setSpec(spec);
        return copy;
    }

    @SuppressWarnings("unchecked") // each kind names itself
    private R copy() {
        try {
            return (R) clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Override
    protected final @Nullable S initSpec() {
        return null;
    }

    @Override
    protected final @Nullable T initStatus() {
        return null;
    }
}
