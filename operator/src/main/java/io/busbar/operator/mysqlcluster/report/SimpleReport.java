package io.busbar.operator.mysqlcluster.report;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.access.Passwords;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.observe.Obstacle;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.busbar.operator.mysqlcluster.version.ServerVersion;
import io.busbar.reconciler.dependent.Rollout;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is told of a cluster whose servers are not asked. Pure; any thread. */
public final class SimpleReport {

    private SimpleReport() {}

    /** Independent servers. */
    public static MySQLCluster of(MySQLCluster cluster, Deployment deployment, List<Pod> pods, Instant now) {
        List<String> names =
                pods.stream().map(pod -> pod.getMetadata().getName()).sorted().toList();
        int ready = (int) pods.stream()
                .filter(pod -> pod.getStatus() != null && Readiness.isPodReady(pod))
                .count();
        Rollout rollout = Rollout.of(deployment);
        Conditions conditions = rollout.conditions(Conditions.of(cluster, now));
        String phase = rollout.state() == Rollout.State.COMPLETE ? "Running" : "Updating";
        return cluster.with(status(cluster, names, phase, ready, conditions));
    }

    /** Left alone, as somebody wants it. */
    public static MySQLCluster paused(MySQLCluster cluster, Instant now) {
        Conditions conditions = Conditions.of(cluster, now).with(ClusterReasons.PAUSED, "spec.paused is true");
        return noted(cluster, "Paused", conditions);
    }

    /** Nothing can be begun. */
    public static MySQLCluster missingPassword(MySQLCluster cluster, Instant now) {
        return noted(
                cluster,
                "Pending",
                Conditions.of(cluster, now).with(ClusterReasons.MISSING_PASSWORD, Passwords.rootProblem(cluster)));
    }

    /** Something is in the way of what it consists of. */
    public static MySQLCluster notOwned(MySQLCluster cluster, String message, Instant now) {
        String phase = Objects.requireNonNullElse(cluster.told().phase(), "Pending");
        return noted(cluster, phase, Conditions.of(cluster, now).with(ClusterReasons.NOT_OWNED, message));
    }

    /** Its servers wait for something. */
    public static MySQLCluster hindered(MySQLCluster cluster, Obstacle obstacle, Instant now) {
        return noted(cluster, "Pending", Conditions.of(cluster, now).with(obstacle.reason(), obstacle.message()));
    }

    private static MySQLCluster noted(MySQLCluster cluster, String phase, Conditions conditions) {
        return cluster.with(
                cluster.told().toBuilder().phase(phase).conditions(conditions).build());
    }

    private static MySQLClusterStatus status(
            MySQLCluster cluster, List<String> names, String phase, int ready, Conditions conditions) {
        return new MySQLClusterStatus.Builder()
                .nodes(names)
                .phase(phase)
                .serving(ready, cluster.wanted().size())
                .selector(ClusterNames.selector(cluster.getMetadata().getName()))
                .version(version(cluster))
                .failover(cluster.told().failover())
                .conditions(conditions)
                .build();
    }

    private static @Nullable String version(MySQLCluster cluster) {
        return cluster.wanted().image() == null
                ? ServerVersion.of(cluster.wanted().version()).text()
                : null;
    }
}
