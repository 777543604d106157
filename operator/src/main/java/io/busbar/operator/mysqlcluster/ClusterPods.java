package io.busbar.operator.mysqlcluster;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.WatchSpec;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;

/** The Pods of clusters. Pure; any thread. */
final class ClusterPods {

    /** All Pods of all clusters, with what is read of them. */
    static final WatchSpec<Pod> PODS = WatchSpec.of(Pod.class)
            .withLabels(ClusterNames.APP + "=" + ClusterNames.APP_VALUE + "," + ClusterNames.CLUSTER)
            .keeping(
                    "metadata.labels",
                    "metadata.ownerReferences",
                    "metadata.creationTimestamp",
                    "spec.containers.name",
                    "spec.containers.image",
                    "spec.containers.env.name",
                    "spec.containers.ports.containerPort",
                    "spec.volumes.name",
                    "spec.volumes.configMap.name",
                    "status.podIP",
                    "status.phase",
                    "status.containerStatuses.name",
                    "status.containerStatuses.state.running",
                    "status.initContainerStatuses.name",
                    "status.initContainerStatuses.state.running",
                    "status.conditions.type",
                    "status.conditions.status",
                    "status.conditions.lastTransitionTime");

    /** Files the Pods under the cluster that they name. */
    static final Index<Pod> BY_CLUSTER = Index.ofMetadata(
            "mysqlcluster.pods",
            pod -> List.of(pod.getMetadata().getNamespace() + "/" + ClusterNames.label(pod, ClusterNames.CLUSTER)));

    private ClusterPods() {}

    /** All that carry the labels. */
    static List<Pod> of(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        return context.lister(Pod.class).by(BY_CLUSTER, ObjectKey.of(cluster).toString());
    }

    /**
     * Those that the StatefulSet controls, and those that it is about to adopt: others that only carry the labels are
     * left alone.
     */
    static List<Pod> of(MySQLCluster cluster, StatefulSet set, ReconcileContext<MySQLCluster> context) {
        return of(cluster, context).stream()
                .filter(pod -> isControlledBy(pod, set) || isMemberWithoutController(pod, cluster))
                .toList();
    }

    /** Of how many members there are Pods whose StatefulSet is being made anew, those between counted. */
    static int membersWithoutController(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        return of(cluster, context).stream()
                .filter(pod -> isMemberWithoutController(pod, cluster))
                .mapToInt(pod -> ordinal(pod, cluster) + 1)
                .max()
                .orElse(0);
    }

    private static boolean isControlledBy(Pod pod, StatefulSet set) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                        && owner.getUid().equals(set.getMetadata().getUid()));
    }

    private static boolean isMemberWithoutController(Pod pod, MySQLCluster cluster) {
        return ordinal(pod, cluster) >= 0
                && pod.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    }

    private static int ordinal(Pod pod, MySQLCluster cluster) {
        return ClusterNames.ordinal(
                        cluster.getMetadata().getName(), pod.getMetadata().getName())
                .orElse(-1);
    }
}
