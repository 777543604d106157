package io.busbar.operator.mysqlcluster;

import io.busbar.common.api.ApiFailure;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.observe.Obstacle;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimCondition;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Has the volumes of a cluster grow to {@code spec.storage.size}, without a restart: first each claim asks for more;
 * once all have it, the StatefulSet is made anew around its Pods, as the size in its template cannot be changed and new
 * members are to have it, too.
 *
 * <p>Any thread, one at a time for each cluster.
 */
final class VolumeGrowth {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** After a write that was refused: it must not keep a cluster from its failover. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private static final String STORAGE = "storage";

    private final PerCluster<Refusal> refusals = new PerCluster<>();
    private final Clock clock;

    private record Refusal(String message, Instant at) {

        Obstacle obstacle() {
            return new Obstacle(
                    ClusterReasons.VOLUME_NOT_GROWN,
                    message + "; spec.storage.size can be set back to status.volumeSize");
        }
    }

    VolumeGrowth(Clock clock) {
        this.clock = clock;
    }

    /**
     * Asks for what is missing, a step at a time.
     *
     * @param pods that the StatefulSet controls
     * @param claims of the cluster's members, and of those that it had: a volume that no Pod uses may not grow before
     *     one does, and is left as it is
     * @return what is in the way, or is still going on
     */
    Optional<Obstacle> grow(
            MySQLCluster cluster,
            StatefulSet set,
            List<Pod> pods,
            List<PersistentVolumeClaim> claims,
            ReconcileContext<MySQLCluster> context) {
        Quantity size = cluster.wanted().storage().size();
        int replicas = set.getSpec().getReplicas();
        List<PersistentVolumeClaim> bound = claims.stream()
                .filter(claim -> isOfMember(claim, cluster.getMetadata().getName(), replicas))
                .filter(claim -> "Bound".equals(status(claim).getPhase()))
                .toList();
        List<PersistentVolumeClaim> small =
                bound.stream().filter(claim -> isLess(requested(claim), size)).toList();
        if (!small.isEmpty()) {
            return attempt(cluster, context, () -> small.forEach(claim -> ask(claim, size, context)));
        }
        List<PersistentVolumeClaim> growing =
                bound.stream().filter(claim -> !has(claim, size)).toList();
        if (!growing.isEmpty()) {
            return Optional.of(new Obstacle(
                    ClusterReasons.VOLUMES_GROWING,
                    growing.stream().map(VolumeGrowth::words).collect(Collectors.joining("; "))));
        }
        return isLess(ClusterObjects.volumeSize(set), size) && isSettled(cluster, set, pods, bound)
                ? attempt(cluster, context, () -> letGo(set, context))
                : Optional.empty();
    }

    /** @return why it was refused, now or a short time ago */
    private Optional<Obstacle> attempt(MySQLCluster cluster, ReconcileContext<MySQLCluster> context, Runnable step) {
        Instant now = clock.instant();
        Optional<Refusal> before =
                refusals.of(cluster).filter(one -> now.isBefore(one.at().plus(PAUSE)));
        if (before.isPresent()) {
            return before.map(Refusal::obstacle);
        }
        refusals.forget(cluster);
        try {
            step.run();
            return Optional.empty();
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == NOT_FOUND || failure.getCode() == CONFLICT) {
                return Optional.empty(); // it is looked at again when the watch shows what has become of it
            }
            Refusal refusal = new Refusal(ApiFailure.reason(failure), now);
            refusals.remember(cluster, refusal, context.lister(MySQLCluster.class));
            return Optional.of(refusal.obstacle());
        }
    }

    private static void ask(PersistentVolumeClaim claim, Quantity size, ReconcileContext<MySQLCluster> context) {
        String patch = Serialization.asJson(Map.of(
                "metadata",
                Map.of("resourceVersion", claim.getMetadata().getResourceVersion()),
                "spec",
                Map.of("resources", Map.of("requests", Map.of(STORAGE, size.toString())))));
        context.remember(context.client().resource(claim).patch(PatchContext.of(PatchType.JSON_MERGE), patch));
    }

    /** Leaves its Pods, which the one that is made next adopts. */
    private static void letGo(StatefulSet set, ReconcileContext<MySQLCluster> context) {
        context.client()
                .resource(set)
                .withPropagationPolicy(DeletionPropagation.ORPHAN)
                .delete();
    }

    /**
     * Whether nothing else is going on, and no member's volume is missing.
     *
     * @param claims of the members that there are
     */
    private static boolean isSettled(
            MySQLCluster cluster, StatefulSet set, List<Pod> pods, List<PersistentVolumeClaim> claims) {
        int replicas = set.getSpec().getReplicas();
        return !set.isMarkedForDeletion()
                && replicas == cluster.told().targetSize()
                && replicas == pods.size()
                && replicas == claims.size()
                && pods.stream().noneMatch(Pod::isMarkedForDeletion)
                && !cluster.told().failover().underWay();
    }

    private static boolean isOfMember(PersistentVolumeClaim claim, String cluster, int replicas) {
        String prefix = ClusterNames.claimPrefix(cluster);
        String pod = cluster + "-" + claim.getMetadata().getName().substring(prefix.length());
        return ClusterNames.ordinal(cluster, pod).orElse(replicas) < replicas;
    }

    private static String words(PersistentVolumeClaim claim) {
        String why = status(claim).getConditions().stream()
                .map(PersistentVolumeClaimCondition::getMessage)
                .filter(Objects::nonNull)
                .filter(message -> !message.isEmpty())
                .collect(Collectors.joining(", "));
        return claim.getMetadata().getName() + " is growing to " + requested(claim) + (why.isEmpty() ? "" : ": " + why);
    }

    private static boolean has(PersistentVolumeClaim claim, Quantity size) {
        @Nullable Quantity capacity = status(claim).getCapacity().get(STORAGE);
        return capacity != null && !isLess(capacity, size);
    }

    private static Quantity requested(PersistentVolumeClaim claim) {
        return Objects.requireNonNull(
                claim.getSpec().getResources().getRequests().get(STORAGE));
    }

    private static PersistentVolumeClaimStatus status(PersistentVolumeClaim claim) {
        return claim.getStatus() == null ? new PersistentVolumeClaimStatus() : claim.getStatus();
    }

    private static boolean isLess(Quantity one, Quantity other) {
        return one.getNumericalAmount().compareTo(other.getNumericalAmount()) < 0;
    }
}
