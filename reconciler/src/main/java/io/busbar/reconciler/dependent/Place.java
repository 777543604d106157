package io.busbar.reconciler.dependent;

import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.dependent.DependentStates.State;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where a dependent is, and how it gets there and away. For the thread of one reconcile.
 *
 * @param <P> the primary
 * @param <T> the dependent
 */
interface Place<P extends HasMetadata, T> {

    /**
     * What came of a try to have a dependent as desired. Immutable.
     *
     * @param state {@code READY} where it is as desired, whether its author would call it ready or not
     * @param object as it is now, if it is there
     * @param message why it is not as desired; empty where it is
     */
    record Kept<T>(State state, Optional<T> object, String message) {

        static <T> Kept<T> asDesired(T object) {
            return new Kept<>(State.READY, Optional.of(object), "");
        }
    }

    /**
     * Makes a dependent what is desired.
     *
     * @param open whether it may be made where it is not there
     * @param others those before it
     * @throws Exception what may mend by itself
     */
    Kept<T> keep(P primary, boolean open, DependentStates others, ReconcileContext<P> context) throws Exception;

    /** The dependent as it is, where it can be told without those before it; empty where it can't, or is not there. */
    Optional<T> find(P primary, ReconcileContext<P> context) throws Exception;

    /**
     * Has a dependent go.
     *
     * @return as it is now; empty when it is gone
     */
    Optional<T> takeAway(P primary, ReconcileContext<P> context) throws Exception;

    /** What is said of a dependent for whose readiness there is no rule of its author's. */
    boolean isReady(T object);

    /** Whether a change of it brings a reconcile. */
    boolean isWatched();

    /** What a controller has to own for it. */
    Optional<Class<? extends HasMetadata>> ownedType();

    /** Whether it is made from what those before it have come to. */
    boolean needsOthers();

    /** Whether it can be found without working out what is desired. */
    boolean hasName();

    /** Where it is found; see {@link Dependent#named}. */
    void named(String dependent, Function<? super P, String> objectName);

    /** No watch shows it; see {@link Dependent#unwatched}. */
    void unwatched(String dependent);
}
