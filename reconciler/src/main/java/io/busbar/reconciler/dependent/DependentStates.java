package io.busbar.reconciler.dependent;

import io.busbar.reconciler.CleanupResult;
import io.busbar.reconciler.ReconcileResult;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How far each of the {@link Dependents} of a primary is, as a reconcile has left them.
 *
 * <p>For the thread of that reconcile.
 */
public final class DependentStates {

    /** What can be said of a dependent. */
    public enum State {
        /** It is as desired, and ready. */
        READY,
        /** It is there, and not ready yet. */
        NOT_READY,
        /** It is not made before those are ready that it comes after. */
        WAITING,
        /** The API server does not take what is desired: a person has to help. */
        REFUSED,
        /** In its place is an object of somebody else's. */
        NOT_OWNED,
        /** Something was thrown. It is tried again. */
        FAILED,
        /** It is on its way out, or waits for others to go before it. */
        LEAVING,
        /** It is not there, and not to be there. */
        OFF
    }

    /**
     * @param running whether it is there and ready, be it as desired or as it was before
     */
    private record Entry(State state, Optional<?> object, boolean running, String message) {

        boolean isWanted() {
            return state != State.LEAVING && state != State.OFF;
        }
    }

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private @Nullable Exception failure;
    private @Nullable Duration nextLook;

    /**
     * @param dependents in the order of their declaration; none of them has been looked at
     */
    DependentStates(List<String> dependents) {
        dependents.forEach(name -> put(name, State.WAITING, Optional.empty(), false, name + " has not been looked at"));
    }

    /** How far one is. */
    public State state(String dependent) {
        return entry(dependent).state();
    }

    /** One as it is now; empty when it is not there, or could not be looked at. */
    public <T> Optional<T> find(String dependent, Class<T> type) {
        return entry(dependent).object().map(type::cast);
    }

    /** Those of a type that are there and to be there, in the order of their declaration. */
    public <T> List<T> found(Class<T> type) {
        return entries.values().stream()
                .filter(Entry::isWanted)
                .flatMap(entry -> entry.object().stream())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    /** Whether nothing is left to be done: each is ready, or is not to be there and is gone. */
    public boolean isComplete() {
        return entries.values().stream().allMatch(entry -> entry.state() == State.READY || entry.state() == State.OFF);
    }

    /** How many Pods of all Deployments are ready. */
    public int readyReplicas() {
        return found(Deployment.class).stream()
                .map(Deployment::getStatus)
                .filter(status -> status != null && status.getReadyReplicas() != null)
                .mapToInt(DeploymentStatus::getReadyReplicas)
                .sum();
    }

    /**
     * All of it as one, for the conditions of the primary: available when each that is to be there is, and is ready.
     */
    public Rollout rollout() {
        boolean available = entries.values().stream().filter(Entry::isWanted).allMatch(Entry::running);
        for (Entry entry : entries.values()) {
            switch (entry.state()) {
                case REFUSED -> {
                    return new Rollout(Rollout.State.REFUSED, available, entry.message());
                }
                case NOT_OWNED -> {
                    return new Rollout(Rollout.State.NOT_OWNED, available, entry.message());
                }
                case FAILED -> {
                    return new Rollout(Rollout.State.FAILED, available, entry.message());
                }
                default -> {}
            }
        }
        Rollout deployments = Rollout.of(found(Deployment.class));
        if (deployments.state() != Rollout.State.COMPLETE) {
            return new Rollout(deployments.state(), available, deployments.message());
        }
        return entries.values().stream()
                .filter(entry -> entry.state() != State.READY && entry.state() != State.OFF)
                .findFirst()
                .map(first -> new Rollout(Rollout.State.PROGRESSING, available, first.message()))
                .orElseGet(() -> new Rollout(Rollout.State.COMPLETE, available, "all that is asked for is ready"));
    }

    /**
     * What to return from a reconcile that ends with the dependents.
     *
     * @throws Exception the first that a dependent has thrown, so that the reconcile is tried again
     */
    public ReconcileResult result() throws Exception {
        throwFailure();
        if (entries.values().stream().anyMatch(entry -> entry.state() == State.REFUSED)) {
            return ReconcileResult.requeue();
        }
        return nextLook == null ? ReconcileResult.awaitChange() : ReconcileResult.requeueAfter(nextLook);
    }

    /** Such as {@code bucket READY, app WAITING}. */
    @Override
    public String toString() {
        return entries.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue().state())
                .collect(Collectors.joining(", "));
    }

    CleanupResult cleanupResult() throws Exception {
        throwFailure();
        boolean gone = entries.values().stream().allMatch(entry -> entry.state() == State.OFF);
        return gone ? CleanupResult.done() : CleanupResult.notYet(nextLook == null ? Applications.PATIENCE : nextLook);
    }

    boolean isThere(String dependent) {
        return entry(dependent).object().isPresent();
    }

    void put(String dependent, State state, Optional<?> object, boolean running, String message) {
        entries.put(dependent, new Entry(state, object, running, message));
    }

    void failed(String dependent, Exception thrown, String message) {
        put(dependent, State.FAILED, Optional.empty(), false, message);
        if (failure == null) {
            failure = thrown;
        } else if (failure != thrown) {
            failure.addSuppressed(thrown);
        }
    }

    /** Nothing tells of a change: the soonest look counts. */
    void lookAgainAfter(Duration delay) {
        if (nextLook == null || delay.compareTo(nextLook) < 0) {
            nextLook = delay;
        }
    }

    private void throwFailure() throws Exception {
        if (failure != null) {
            throw failure;
        }
    }

    private Entry entry(String dependent) {
        Entry entry = entries.get(dependent);
        if (entry == null) {
            throw new IllegalArgumentException(
                    "no dependent " + dependent + "; there are " + String.join(", ", entries.keySet()));
        }
        return entry;
    }
}
