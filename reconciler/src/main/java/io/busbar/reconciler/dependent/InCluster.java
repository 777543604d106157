package io.busbar.reconciler.dependent;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.dependent.Applications.Outcome;
import io.busbar.reconciler.dependent.DependentStates.State;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A dependent that the API server keeps. A builder; see {@link Dependent}. */
final class InCluster<P extends HasMetadata, T extends HasMetadata> implements Place<P, T> {

    private final Class<T> type;
    private final BiFunction<? super P, DependentStates, ? extends T> desired;
    private final boolean needsOthers;
    private final Apply how;
    private @Nullable Function<? super P, String> objectName;
    private boolean watched = true;

    InCluster(
            Class<T> type,
            BiFunction<? super P, DependentStates, ? extends T> desired,
            boolean needsOthers,
            Apply how) {
        this.type = type;
        this.desired = desired;
        this.needsOthers = needsOthers;
        this.how = how;
    }

    @Override
    public Kept<T> keep(P primary, boolean open, DependentStates others, ReconcileContext<P> context) {
        T wanted = desired.apply(primary, others);
        Optional<T> actual = find(primary, ObjectKey.of(wanted), context);
        if (actual.filter(HasMetadata::isMarkedForDeletion).isPresent()) {
            return new Kept<>(
                    State.NOT_READY,
                    Optional.empty(),
                    Applications.name(wanted) + " is being deleted, and made anew then");
        }
        if (!open && actual.isEmpty()) {
            return new Kept<>(State.WAITING, actual, Applications.name(wanted) + " waits for those before it");
        }
        Outcome outcome = Applications.apply(wanted, how, context);
        if (outcome instanceof Outcome.Refused refused) {
            State state = refused.state() == Rollout.State.NOT_OWNED ? State.NOT_OWNED : State.REFUSED;
            return new Kept<>(state, actual, refused.message());
        }
        return Kept.asDesired(type.cast(((Outcome.Applied) outcome).object()));
    }

    @Override
    public Optional<T> find(P primary, ReconcileContext<P> context) {
        Optional<String> name = Optional.ofNullable(objectName).map(naming -> naming.apply(primary));
        if (name.isPresent()) {
            String namespace = Namespaced.class.isAssignableFrom(type)
                    ? Objects.requireNonNullElse(primary.getMetadata().getNamespace(), "")
                    : "";
            return find(primary, ObjectKey.of(namespace, name.get()), context);
        }
        return needsOthers
                ? Optional.empty()
                : find(primary, ObjectKey.of(desired.apply(primary, new DependentStates(List.of()))), context);
    }

    @Override
    public Optional<T> takeAway(P primary, ReconcileContext<P> context) {
        Optional<T> actual = find(primary, context);
        if (actual.isEmpty() || actual.get().isMarkedForDeletion()) {
            return actual;
        }
        if (watched) {
            context.delete(actual.get());
        } else {
            context.client()
                    .resource(actual.get())
                    .lockResourceVersion(actual.get().getMetadata().getResourceVersion())
                    .delete();
        }
        return find(primary, context);
    }

    @Override
    public boolean isReady(T object) {
        return Applications.isReady(object);
    }

    @Override
    public boolean isWatched() {
        return watched;
    }

    @Override
    public Optional<Class<? extends HasMetadata>> ownedType() {
        return watched ? Optional.of(type) : Optional.empty();
    }

    @Override
    public boolean needsOthers() {
        return needsOthers;
    }

    @Override
    public boolean hasName() {
        return objectName != null;
    }

    @Override
    public void named(String dependent, Function<? super P, String> naming) {
        objectName = naming;
    }

    @Override
    public void unwatched(String dependent) {
        watched = false;
    }

    private Optional<T> find(P primary, ObjectKey key, ReconcileContext<P> context) {
        if (watched) {
            return Applications.owned(type, key, context);
        }
        T live = key.namespace().isEmpty()
                ? context.client().resources(type).withName(key.name()).get()
                : context.client()
                        .resources(type)
                        .inNamespace(key.namespace())
                        .withName(key.name())
                        .get();
        return Optional.ofNullable(live).filter(object -> isControlledBy(primary, object));
    }

    private static boolean isControlledBy(HasMetadata primary, HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                        && owner.getUid().equals(primary.getMetadata().getUid()));
    }
}
