package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Applies what clusters consist of, and goes on without what is somebody else's: a Service that a user has made must
 * not keep a cluster from its failover. What is somebody else's is looked at again after a while, not in each turn. Any
 * thread, one at a time for each cluster.
 */
public final class Dependents {

    private static final Apply HOW =
            Apply.standard().decidingAllOf("spec.ports", "spec.template.spec.containers.ports");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Clock clock;
    private final PerCluster<Map<String, Refusal>> refusals = new PerCluster<>();

    private record Refusal(String message, Instant at) {}

    public Dependents(Clock clock) {
        this.clock = clock;
    }

    /**
     * @return the object as it is now; empty when there is one that is somebody else's
     */
    public <T extends HasMetadata> Optional<T> apply(
            T desired, MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        String name = desired.getKind() + " " + desired.getMetadata().getName();
        Map<String, Refusal> refused = new TreeMap<>(refusals.of(cluster).orElse(Map.of()));
        Refusal before = refused.get(name);
        if (before != null && clock.instant().isBefore(before.at().plus(PATIENCE))) {
            return Optional.empty();
        }
        Optional<T> applied = Optional.empty();
        refused.remove(name);
        try {
            applied = Optional.of(context.apply(desired, HOW));
        } catch (ObjectNotOwnedException notOwned) {
            refused.put(name, new Refusal(String.valueOf(notOwned.getMessage()), clock.instant()));
        }
        if (before != null || applied.isEmpty()) {
            refusals.remember(cluster, refused, context.lister(MySQLCluster.class));
        }
        return applied;
    }

    /** Whose objects are in the way, and which; empty when none are. */
    public Optional<String> refusal(MySQLCluster cluster) {
        return refusals.of(cluster).orElse(Map.of()).values().stream()
                .map(Refusal::message)
                .findFirst();
    }
}
