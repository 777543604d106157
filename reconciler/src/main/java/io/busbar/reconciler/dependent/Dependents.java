package io.busbar.reconciler.dependent;

import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.Write;
import io.busbar.reconciler.dependent.DependentStates.State;
import io.busbar.reconciler.dependent.Place.Kept;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a primary consists of, in the cluster and outside, and what of it waits for what.
 *
 * <pre>{@code
 * Dependents<Shop> dependents = Dependents.of(Shop.class)
 *         .addExternal("bucket", new Buckets())
 *         .add("database", StatefulSet.class, ShopObjects::database)
 *         .add("app", Deployment.class, ShopObjects::app, app -> app.after("bucket", "database"))
 *         .add("web", Ingress.class, ShopObjects::web, web -> web.after("app")
 *                 .onlyIf(shop -> shop.getSpec().isPublic())
 *                 .named(shop -> shop.getMetadata().getName()));
 *
 * dependents.ownedBy(Controller.of(Shop.class, new ShopReconciler(dependents))).finalizer("shop.example.com/all");
 *
 * DependentStates states = dependents.reconcile(shop, context);
 * context.status(shop.with(…states.rollout()…));
 * return states.result();
 * }</pre>
 *
 * <p>A dependent is made once all that it comes after are ready, and so are those that these come after. What is there
 * already is kept as desired whatever the others do. One that fails, is refused or is slow holds up those that come
 * after it, and no other. One that is not to be there is taken away, after those that come after it have gone.
 *
 * <p>As each comes only after some that are declared before it, none can wait for itself.
 *
 * <p>A builder, for one thread; once it is complete, any thread may use it. For many objects in a row {@link Stages} is
 * shorter.
 *
 * @param <P> the primary
 */
public final class Dependents<P extends HasMetadata> {

    private final Apply how;
    private final List<Dependent<P, ?>> declared = new ArrayList<>();

    private Dependents(Apply how) {
        this.how = how;
    }

    /** None yet, to be applied in the {@linkplain Apply#standard() standard} way. */
    public static <P extends HasMetadata> Dependents<P> of(Class<P> primary) {
        return of(primary, Apply.standard());
    }

    /**
     * None yet.
     *
     * @param how objects in the cluster are applied
     */
    public static <P extends HasMetadata> Dependents<P> of(Class<P> primary, Apply how) {
        return new Dependents<>(how);
    }

    /**
     * Adds an object in the cluster, that comes after none.
     *
     * @param name unique among these; for messages and for {@link Dependent#after}
     * @param type owned by the controller, as {@link #ownedBy} declares it
     * @param desired as {@link ReconcileContext#apply} takes it
     */
    public <T extends HasMetadata> Dependents<P> add(
            String name, Class<T> type, Function<? super P, ? extends T> desired) {
        return add(name, type, desired, dependent -> {});
    }

    /**
     * The same with more said of it.
     *
     * @param options such as {@code app -> app.after("database")}
     * @throws IllegalArgumentException when the name is taken, or the options do not go together
     */
    public <T extends HasMetadata> Dependents<P> add(
            String name, Class<T> type, Function<? super P, ? extends T> desired, Consumer<Dependent<P, T>> options) {
        return declare(name, new InCluster<>(type, (primary, others) -> desired.apply(primary), false, how), options);
    }

    /**
     * Adds an object that is made from what others have come to, such as the address of something outside. It is made,
     * and changed, when all that it comes after are there.
     *
     * @param desired is given those; {@link DependentStates#find} has them
     * @param options must have its {@link Dependent#named name}
     * @throws IllegalArgumentException as {@link #add}
     */
    public <T extends HasMetadata> Dependents<P> addFrom(
            String name,
            Class<T> type,
            BiFunction<? super P, DependentStates, ? extends T> desired,
            Consumer<Dependent<P, T>> options) {
        return declare(name, new InCluster<>(type, desired, true, how), options);
    }

    /** Adds something outside the cluster, that comes after none. */
    public <T> Dependents<P> addExternal(String name, External<P, T> external) {
        return addExternal(name, external, dependent -> {});
    }

    /**
     * The same with more said of it.
     *
     * <p>Its controller needs a {@linkplain Controller#finalizer finalizer}, and a reconciler whose cleanup is {@link
     * #cleanup}: nothing else takes it away.
     *
     * @throws IllegalArgumentException as {@link #add}
     */
    public <T> Dependents<P> addExternal(String name, External<P, T> external, Consumer<Dependent<P, T>> options) {
        return declare(name, new OutsideCluster<>(external), options);
    }

    /**
     * Has a controller own those in the cluster, each to be applied and deleted.
     *
     * @return the same controller
     */
    public Controller<P> ownedBy(Controller<P> controller) {
        declared.stream()
                .flatMap(one -> one.place().ownedType().stream())
                .distinct()
                .forEach(type -> controller.owns(WatchSpec.of(type), Write.APPLY, Write.DELETE));
        return controller;
    }

    /**
     * Does what can be done now. What a dependent throws is in the states, where {@link DependentStates#result} throws
     * it.
     *
     * @throws KubernetesClientException when the API server does not answer, or not as it should
     * @throws IllegalStateException when there are some outside the cluster, and the primary has no finalizer
     * @throws InterruptedException when the reconcile's time is up
     */
    public DependentStates reconcile(P primary, ReconcileContext<P> context) throws InterruptedException {
        requireFinalizer(primary);
        DependentStates states = new DependentStates(names());
        Set<String> inactive = new HashSet<>();
        Set<String> off = new HashSet<>();
        for (Dependent<P, ?> one : declared) {
            if (!one.isActive(context)) {
                inactive.add(one.name());
            }
            if (inactive.contains(one.name())
                    || !one.isWanted(primary)
                    || one.after().stream().anyMatch(off::contains)) {
                off.add(one.name());
            }
        }
        takeAway(off, inactive, primary, states, context);
        Set<String> settled = new HashSet<>();
        for (Dependent<P, ?> one : declared) {
            if (!off.contains(one.name())) {
                boolean open = settled.containsAll(one.after());
                keep(one, open, primary, states, context);
                if (open && states.state(one.name()) == State.READY) {
                    settled.add(one.name());
                }
            }
        }
        return states;
    }

    /**
     * Takes all away, each after those that come after it. For {@link io.busbar.reconciler.Reconciler#cleanup}.
     *
     * <p>An object of the cluster is gone when the API server has it no more; what it owned in turn, such as Pods, may
     * still end then, which {@link Dependent#goneWhen} can wait for.
     *
     * @throws Exception the first that a dependent has thrown; the others that can go have gone
     */
    public CleanupResult cleanup(P primary, ReconcileContext<P> context) throws Exception {
        DependentStates states = new DependentStates(names());
        Set<String> inactive = new HashSet<>();
        declared.stream()
                .filter(one -> !one.isActive(context))
                .map(Dependent::name)
                .forEach(inactive::add);
        takeAway(Set.copyOf(names()), inactive, primary, states, context);
        return states.cleanupResult();
    }

    private void requireFinalizer(P primary) {
        boolean none = primary.getMetadata().getFinalizers().isEmpty();
        declared.stream()
                .filter(one -> none && one.place() instanceof OutsideCluster)
                .findFirst()
                .ifPresent(one -> {
                    throw new IllegalStateException("dependent " + one.name() + " is outside the cluster, and "
                            + primary.getKind() + " " + ObjectKey.of(primary)
                            + " has no finalizer, so that nothing would take it away: declare Controller.finalizer");
                });
    }

    private <T> void keep(
            Dependent<P, T> one, boolean open, P primary, DependentStates states, ReconcileContext<P> context)
            throws InterruptedException {
        attempt(one, states, () -> {
            Place<P, T> place = one.place();
            boolean made = !place.needsOthers() || one.after().stream().allMatch(states::isThere);
            Kept<T> kept = made
                    ? place.keep(primary, open, states, context)
                    : new Kept<>(
                            State.WAITING, place.find(primary, context), one.name() + " waits for those before it");
            boolean running = kept.object().filter(one::isReady).isPresent();
            State state = kept.state() == State.READY && !running ? State.NOT_READY : kept.state();
            String message = kept.message().isEmpty() ? "waiting for " + one.name() : kept.message();
            states.put(one.name(), state, kept.object(), running, message);
            if (state == State.NOT_OWNED || (state == State.NOT_READY && !place.isWatched())) {
                states.lookAgainAfter(Applications.PATIENCE);
            }
        });
    }

    private void takeAway(
            Set<String> off, Set<String> inactive, P primary, DependentStates states, ReconcileContext<P> context)
            throws InterruptedException {
        for (int i = declared.size() - 1; i >= 0; i--) {
            Dependent<P, ?> one = declared.get(i);
            if (inactive.contains(one.name())) {
                states.put(one.name(), State.OFF, Optional.empty(), false, "");
            } else if (off.contains(one.name())) {
                takeAway(one, primary, states, context);
            }
        }
    }

    private <T> void takeAway(Dependent<P, T> one, P primary, DependentStates states, ReconcileContext<P> context)
            throws InterruptedException {
        boolean free = declared.stream()
                .filter(other -> other.after().contains(one.name()))
                .allMatch(other -> states.state(other.name()) == State.OFF);
        if (!free) {
            states.put(one.name(), State.LEAVING, Optional.empty(), false, one.name() + " goes after those after it");
            return;
        }
        attempt(one, states, () -> {
            Optional<T> left = one.place().takeAway(primary, context);
            boolean gone = left.isEmpty() && one.isGone(context);
            states.put(one.name(), gone ? State.OFF : State.LEAVING, left, false, one.name() + " is on its way out");
            if (!gone && (left.isEmpty() || !one.place().isWatched())) {
                states.lookAgainAfter(Applications.PATIENCE);
            }
        });
    }

    /** Something that concerns one dependent, and holds up others only where they come after it. */
    private interface Step {
        void take() throws Exception;
    }

    private static void attempt(Dependent<?, ?> one, DependentStates states, Step step) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("before dependent " + one.name());
        }
        try {
            step.take();
        } catch (InterruptedException timeIsUp) {
            throw timeIsUp;
        } catch (Exception thrown) {
            if (thrown instanceof KubernetesClientException failure && one.place() instanceof InCluster) {
                throw failure;
            }
            states.failed(one.name(), thrown, one.name() + ": " + ApiFailure.reason(thrown));
        }
        one.interval().ifPresent(states::lookAgainAfter);
    }

    private List<String> names() {
        return declared.stream().<String>map(Dependent::name).toList();
    }

    private <T> Dependents<P> declare(String name, Place<P, T> place, Consumer<Dependent<P, T>> options) {
        List<String> before = names();
        if (before.contains(name)) {
            throw new IllegalArgumentException("two dependents of the name " + name + ", allowed: each name once");
        }
        Dependent<P, T> one = new Dependent<>(name, place, before);
        options.accept(one);
        one.check(declared.stream()
                .anyMatch(other -> other.mayBeOff() && one.after().contains(other.name())));
        declared.add(one);
        return this;
    }
}
