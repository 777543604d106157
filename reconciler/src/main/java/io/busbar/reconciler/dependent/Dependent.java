package io.busbar.reconciler.dependent;

import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One of the {@link Dependents} of a primary: what it waits for, when it is there at all, and when it counts as ready.
 *
 * <p>A builder, for one thread; read by any once the graph is complete. Conditions are called on the thread of a
 * reconcile. What {@link #onlyIf} and {@link #activeIf} throw ends it; what the others throw holds up those that come
 * after this one.
 *
 * @param <P> the primary
 * @param <T> what this one is, such as a Deployment
 */
public final class Dependent<P extends HasMetadata, T> {

    private final String name;
    private final Place<P, T> place;
    private final List<String> declared;
    private final List<String> after = new ArrayList<>();
    private Predicate<? super T> ready;
    private Predicate<? super P> wanted = primary -> true;
    private Predicate<? super ReconcileContext<P>> active = context -> true;
    private @Nullable Predicate<? super ReconcileContext<P>> gone;
    private @Nullable Duration interval;
    private boolean conditional;
    private boolean optional;

    /**
     * @param declared the names of those before it
     */
    Dependent(String name, Place<P, T> place, List<String> declared) {
        this.name = name;
        this.place = place;
        this.declared = declared;
        this.ready = place::isReady;
    }

    /**
     * It is made once these are ready, and taken away before them.
     *
     * @param names of dependents that are declared before this one
     */
    public Dependent<P, T> after(String... names) {
        for (String other : names) {
            if (!declared.contains(other)) {
                throw new IllegalArgumentException("dependent " + name + " after " + other
                        + ": allowed are those declared before it: " + String.join(", ", declared)
                        + " (two that wait for each other would never be made)");
            }
            after.add(other);
        }
        return this;
    }

    /**
     * When it is ready, for those that come after it. If not called: what {@code kubectl wait} would say of an object
     * that runs something, and that it is there of all else.
     */
    public Dependent<P, T> readyWhen(Predicate<? super T> condition) {
        ready = condition;
        return this;
    }

    /**
     * Where this does not hold, it is taken away, and before it those that come after it. An object in the cluster
     * needs a {@link #named name} then.
     */
    public Dependent<P, T> onlyIf(Predicate<? super P> condition) {
        wanted = condition;
        conditional = true;
        return this;
    }

    /**
     * Where this does not hold, it is not looked at, as if it were not declared: of a kind that not every cluster has,
     * say. Those that come after it are taken away.
     */
    public Dependent<P, T> activeIf(Predicate<? super ReconcileContext<P>> condition) {
        active = condition;
        optional = true;
        return this;
    }

    /**
     * What must hold, beside its being away, before those go that it comes after. It is asked every 10 s, or at a
     * change.
     */
    public Dependent<P, T> goneWhen(Predicate<? super ReconcileContext<P>> condition) {
        gone = condition;
        return this;
    }

    /**
     * The name of the object of a primary, for when it is to be taken away: what is desired cannot always be worked out
     * then.
     */
    public Dependent<P, T> named(Function<? super P, String> objectName) {
        place.named(name, objectName);
        return this;
    }

    /**
     * It is of a kind that the controller does not own, such as one that not every cluster has: it is read from the API
     * server in each reconcile. The operator must be allowed to get, create, patch and delete it.
     */
    public Dependent<P, T> unwatched() {
        place.unwatched(name);
        return this;
    }

    /** It is looked at again after so long, ready or not, as nothing tells of its changes. */
    public Dependent<P, T> lookedAtEvery(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(
                    "dependent " + name + " is looked at every " + time + ", allowed: more than nothing");
        }
        interval = time;
        return this;
    }

    /** Takes what was said for complete; throws where it does not go together. */
    void check(boolean afterOneThatMayBeOff) {
        conditional |= afterOneThatMayBeOff;
        if ((conditional || place.needsOthers()) && !place.hasName()) {
            throw new IllegalArgumentException("dependent " + name + " may have to be found where what is desired"
                    + " cannot be worked out: tell its name, .named(primary -> ...)");
        }
        if (place.needsOthers() && after.isEmpty()) {
            throw new IllegalArgumentException(
                    "dependent " + name + " is made from others and comes after none: tell which, .after(...)");
        }
    }

    /** Whether those that come after it may have to be taken away. */
    boolean mayBeOff() {
        return conditional || optional;
    }

    String name() {
        return name;
    }

    Place<P, T> place() {
        return place;
    }

    List<String> after() {
        return after;
    }

    boolean isReady(T object) {
        return ready.test(object);
    }

    boolean isWanted(P primary) {
        return wanted.test(primary);
    }

    boolean isActive(ReconcileContext<P> context) {
        return active.test(context);
    }

    /** Whether nothing of it is left, once it is not there. */
    boolean isGone(ReconcileContext<P> context) {
        return gone == null || gone.test(context);
    }

    Optional<Duration> interval() {
        return Optional.ofNullable(interval);
    }
}
