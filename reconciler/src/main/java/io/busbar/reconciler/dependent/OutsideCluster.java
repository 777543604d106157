package io.busbar.reconciler.dependent;

import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.dependent.DependentStates.State;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.Function;

/** A dependent that is kept elsewhere. Immutable, but for what it is made of. */
record OutsideCluster<P extends HasMetadata, T>(External<P, T> external) implements Place<P, T> {

    @Override
    public Kept<T> keep(P primary, boolean open, DependentStates others, ReconcileContext<P> context) throws Exception {
        Optional<T> actual = external.actual(primary, context);
        if (actual.isEmpty() && !open) {
            return new Kept<>(State.WAITING, actual, "it waits for those before it");
        }
        T desired = external.desired(primary);
        if (actual.isEmpty()) {
            return Kept.asDesired(external.create(primary, desired, context));
        }
        return Kept.asDesired(
                external.isAsDesired(desired, actual.get())
                        ? actual.get()
                        : external.update(primary, desired, actual.get(), context));
    }

    @Override
    public Optional<T> find(P primary, ReconcileContext<P> context) throws Exception {
        return external.actual(primary, context);
    }

    @Override
    public Optional<T> takeAway(P primary, ReconcileContext<P> context) throws Exception {
        Optional<T> actual = external.actual(primary, context);
        if (actual.isEmpty()) {
            return actual;
        }
        external.delete(primary, actual.get(), context);
        return external.actual(primary, context);
    }

    @Override
    public boolean isReady(T object) {
        return true;
    }

    @Override
    public boolean isWatched() {
        return false;
    }

    @Override
    public Optional<Class<? extends HasMetadata>> ownedType() {
        return Optional.empty();
    }

    @Override
    public boolean needsOthers() {
        return false;
    }

    @Override
    public boolean hasName() {
        return true;
    }

    @Override
    public void named(String dependent, Function<? super P, String> objectName) {
        throw notInCluster(dependent, "named");
    }

    @Override
    public void unwatched(String dependent) {
        throw notInCluster(dependent, "unwatched");
    }

    private static IllegalArgumentException notInCluster(String dependent, String option) {
        return new IllegalArgumentException(
                "dependent " + dependent + ": ." + option + "(…) is for objects in the cluster, and it is an External");
    }
}
