package io.busbar.operator.mysqlcluster;

import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.WatchSpec;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.Write;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;

/** Declares the controller of MySQLClusters. Any thread. */
final class MySQLClusterController {

    private static final String OURS = ClusterNames.APP + "=" + ClusterNames.APP_VALUE;

    /** A planned change of the primary may hold up writes for up to 5 minutes. */
    private static final Duration TIMEOUT = Duration.ofMinutes(12);

    /**
     * A reconcile waits for answers of servers, some 4 s for each question where they take connections and never
     * answer, and so do those of all clusters of a zone that is lost. So many can be waited for before another one has
     * to wait for them. A thread is started when it is first needed, and stays; it costs some 100 KB while it waits.
     */
    private static final int WORKERS = 64;

    private MySQLClusterController() {}

    static Controller<MySQLCluster> declare(MySQLClusterReconciler reconciler) {
        return Controller.of(MySQLCluster.class, reconciler)
                .when(ChangePredicate.generationChanged().or(ChangePredicate.annotationsChanged()))
                .timeout(TIMEOUT)
                .workers(WORKERS)
                .sharded()
                .owns(StatefulSet.class)
                .owns(Deployment.class)
                .owns(WatchSpec.of(Service.class).withLabels(OURS))
                .owns(WatchSpec.of(ConfigMap.class).withLabels(OURS), Write.APPLY, Write.DELETE)
                .owns(WatchSpec.of(Job.class).withLabels(ClusterNames.JOB), Write.CREATE, Write.DELETE)
                .watches(
                        ClusterClaims.CLAIMS,
                        List.of(ClusterClaims.BY_CLUSTER),
                        ChangePredicate.always(),
                        KeyMapping.byLabel(ClusterNames.CLUSTER))
                .watches(
                        ClusterPods.PODS,
                        List.of(ClusterPods.BY_CLUSTER),
                        ChangePredicate.always(),
                        KeyMapping.byLabel(ClusterNames.CLUSTER));
    }
}
