package io.busbar.operator.mysqlcluster;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.WatchSpec;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.PerCluster;
import io.busbar.operator.mysqlcluster.objects.Retention;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volume claims of clusters, which the controller of StatefulSets makes and nobody deletes with a StatefulSet. Any
 * thread.
 */
final class ClusterClaims {

    private static final Logger log = LoggerFactory.getLogger(ClusterClaims.class);

    /** Claims of all clusters, those that are gone included, by their labels; with what is read of them. */
    static final WatchSpec<PersistentVolumeClaim> CLAIMS = WatchSpec.of(PersistentVolumeClaim.class)
            .withLabels(ClusterNames.APP + "=" + ClusterNames.APP_VALUE + "," + ClusterNames.CLUSTER)
            .keeping(
                    "metadata.labels",
                    "metadata.ownerReferences",
                    "spec.resources.requests",
                    "status.phase",
                    "status.capacity",
                    "status.conditions.type",
                    "status.conditions.message");

    /** Files them under the cluster that they name. */
    static final Index<PersistentVolumeClaim> BY_CLUSTER = Index.ofMetadata(
            "mysqlcluster.claims",
            claim -> List.of(
                    claim.getMetadata().getNamespace() + "/" + ClusterNames.label(claim, ClusterNames.CLUSTER)));

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** After a write that was refused: it must not keep a cluster from its failover. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final PerCluster<Instant> refusedAt = new PerCluster<>();
    private final Clock clock;

    ClusterClaims(Clock clock) {
        this.clock = clock;
    }

    /** Has each outlive the cluster or end with it, as its policy says; writes only where that is not so yet. */
    void keep(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        Instant now = clock.instant();
        if (refusedAt.of(cluster).filter(at -> now.isBefore(at.plus(PAUSE))).isPresent()) {
            return;
        }
        of(cluster, context).forEach(claim -> keep(cluster, claim, context));
    }

    /** Those of its members, and of members that it had. */
    static List<PersistentVolumeClaim> of(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        String prefix = ClusterNames.claimPrefix(cluster.getMetadata().getName());
        return context
                .lister(PersistentVolumeClaim.class)
                .by(BY_CLUSTER, ObjectKey.of(cluster).toString())
                .stream()
                .filter(claim -> Retention.isOf(cluster, claim)
                        && claim.getMetadata().getName().startsWith(prefix))
                .toList();
    }

    /** One that somebody changes or deletes meanwhile is looked at again when the watch shows that. */
    private void keep(MySQLCluster cluster, PersistentVolumeClaim claim, ReconcileContext<MySQLCluster> context) {
        try {
            Retention.apply(cluster, claim, context.client()).ifPresent(context::remember);
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == NOT_FOUND || failure.getCode() == CONFLICT) {
                return;
            }
            refusedAt.remember(cluster, clock.instant(), context.lister(MySQLCluster.class));
            log.atWarn()
                    .addKeyValue("claim", claim.getMetadata().getName())
                    .setCause(failure)
                    .log("a volume claim does not follow spec.deletionPolicy yet");
        }
    }
}
