package io.busbar.operator.mysqlcluster;

import io.busbar.common.ResourceType;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.Sample;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Permission.Subresource;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;

/** What MySQLCluster needs. Immutable. */
public final class MySQLClusterPart {

    private static final List<Permission> PERMISSIONS = List.of(
            Permission.toControl(MySQLCluster.class),
            Permission.on(MySQLCluster.class, Subresource.STATUS, "patch"),
            // What belongs to it blocks its deletion in the foreground.
            Permission.on(MySQLCluster.class, Subresource.FINALIZERS, "update"),
            // Annotated while its data is replaced.
            Permission.on(MySQLCluster.class, "patch"),
            Permission.toControl(MySQLBackup.class),
            // Made and deleted by schedule; and a finalizer.
            Permission.on(MySQLBackup.class, "create", "patch", "delete"),
            Permission.on(MySQLBackup.class, Subresource.STATUS, "patch"),
            Permission.on(MySQLBackup.class, Subresource.FINALIZERS, "update"),
            Permission.toControl(MySQLRestore.class),
            Permission.on(MySQLRestore.class, Subresource.STATUS, "patch"),
            Permission.toWatch(StatefulSet.class),
            // Read when there is one that its watch does not show; so are the next ones.
            Permission.on(StatefulSet.class, "get", "create", "patch"),
            Permission.toWatch(Deployment.class),
            Permission.on(Deployment.class, "get", "create", "patch"),
            Permission.toWatch(Service.class),
            Permission.on(Service.class, "get", "create", "patch"),
            Permission.toWatch(ConfigMap.class),
            Permission.on(ConfigMap.class, "get", "create", "patch"),
            // By name alone.
            Permission.on(Secret.class, "get", "create"),
            Permission.toWatch(Pod.class),
            // Their roles; and each is restarted by being deleted.
            Permission.on(Pod.class, "get", "patch", "delete"),
            Permission.toWatch(Job.class),
            Permission.on(Job.class, "get", "create", "delete"),
            Permission.of("policy", List.of("poddisruptionbudgets"), "get", "create", "patch"),
            Permission.of("events.k8s.io", List.of("events"), "create", "patch"));

    private MySQLClusterPart() {}

    public static OperatorPart declaration() {
        ResourceType type = ResourceType.of(MySQLCluster.class);
        return new OperatorPart(
                List.of(MySQLCluster.class, MySQLBackup.class, MySQLRestore.class),
                PERMISSIONS,
                List.of(),
                List.of(
                        WebhookManifest.mutating("mmysqlcluster.kb.io", type, Operation.CREATE, Operation.UPDATE),
                        WebhookManifest.validating("vmysqlcluster.kb.io", type, Operation.CREATE, Operation.UPDATE)),
                List.of(sample("mysqlcluster"), sample("mysqlbackup"), sample("mysqlrestore")));
    }

    private static Sample sample(String kind) {
        return Sample.beside(
                MySQLClusterPart.class, "/io/busbar/operator/mysqlcluster/samples/database_v1alpha1_" + kind + ".yaml");
    }
}
