package io.busbar.operator.mysqlcluster.contents;

import io.busbar.common.ObjectKey;
import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.Migration;
import io.busbar.operator.mysqlcluster.observe.Fleet;
import io.busbar.operator.mysqlcluster.observe.PodAddressing;
import io.busbar.operator.mysqlcluster.sql.Account;
import io.busbar.operator.mysqlcluster.sql.Contents;
import io.busbar.operator.mysqlcluster.sql.DatabaseServer;
import io.busbar.operator.mysqlcluster.sql.DatabaseServers;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.SqlFailure;
import io.busbar.operator.mysqlcluster.sql.Trust;
import io.busbar.operator.mysqlcluster.tls.Certificates;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ClusterContext;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;

/** The way to what is in the primaries of clusters, by what was told of these last. Any thread; opening waits. */
final class Primaries {

    private final DatabaseServers servers;
    private final PodAddressing addressing;

    Primaries(DatabaseServers servers, PodAddressing addressing) {
        this.servers = servers;
        this.addressing = addressing;
    }

    /** Whether a cluster is told to take writes; no write waits for replicas there that are away. */
    static boolean serves(MySQLCluster cluster) {
        return cluster.told().currentPrimary() != null
                && Conditions.isTrue(cluster.told().conditions(), Conditions.AVAILABLE);
    }

    Contents open(ObjectKey cluster, ClusterContext context) throws Unready, SqlFailure, InterruptedException {
        Optional<MySQLCluster> found = context.lister(MySQLCluster.class).get(cluster);
        if (found.isEmpty()) {
            throw new Unready(
                    ContentReasons.CLUSTER_MISSING,
                    "there is no MySQLCluster " + cluster.name() + " in this namespace");
        }
        String which = "MySQLCluster " + cluster.name();
        if (found.get().wanted().mode() == Mode.Simple) {
            throw new Unready(
                    ContentReasons.NOT_REPLICATED,
                    "the servers of " + which + " are independent of each other: it takes one with spec.mode"
                            + " Replicated");
        }
        if (found.get().wanted().paused()) {
            throw new Unready(ContentReasons.CLUSTER_PAUSED, which + " is paused: set its spec.paused to false");
        }
        if (Migration.isUnderWay(found.get())) {
            throw new Unready(
                    ContentReasons.FOLLOWS_EXTERNAL_PRIMARY,
                    which + " follows a server outside, and takes no writes until it has taken over");
        }
        Optional<Account> operator = Passwords.operator(found.get(), context);
        Optional<Endpoint> endpoint = endpoint(found.get(), context);
        if (operator.isEmpty() || endpoint.isEmpty()) {
            throw new Unready(ContentReasons.NO_PRIMARY, "waiting for a primary of " + which + " that takes writes");
        }
        try (DatabaseServer server = servers.server(
                endpoint.get(), operator.get(), trust(found.get(), context), isAdministered(found.get(), context))) {
            return server.contents();
        }
    }

    private Optional<Endpoint> endpoint(MySQLCluster cluster, ClusterContext context) {
        return pod(cluster, context)
                .flatMap(pod -> Fleet.endpoint(cluster.getMetadata().getName(), pod, addressing));
    }

    private static boolean isAdministered(MySQLCluster cluster, ClusterContext context) {
        return pod(cluster, context)
                .filter(pod -> ClusterNames.hasAdministrationPort(pod.getSpec()))
                .isPresent();
    }

    private static Optional<Pod> pod(MySQLCluster cluster, ClusterContext context) {
        return Optional.ofNullable(cluster.told().currentPrimary())
                .filter(primary -> serves(cluster))
                .flatMap(primary -> context.lister(Pod.class)
                        .get(ObjectKey.of(cluster.getMetadata().getNamespace(), primary)));
    }

    private static Optional<Trust> trust(MySQLCluster cluster, ClusterContext context) {
        String name = cluster.getMetadata().getName();
        return pod(cluster, context)
                .filter(pod -> ClusterNames.isEncrypted(pod.getSpec()))
                .flatMap(pod -> context.fetched(
                                Secret.class,
                                ObjectKey.of(cluster.getMetadata().getNamespace(), ClusterNames.tls(name)))
                        .map(secret -> Fleet.trust(name, pod, Certificates.authorities(secret))));
    }
}
