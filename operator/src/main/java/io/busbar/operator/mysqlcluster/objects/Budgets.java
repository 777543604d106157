package io.busbar.operator.mysqlcluster.objects;

import io.busbar.common.api.ApiFailure;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PodDisruptionBudgets: drains take one member at a time. Clusters before 1.21 have only a version of the kind that
 * those since 1.25 do not have, so that none is watched: one is applied once for each cluster in the life of the
 * operator. Any thread.
 */
public final class Budgets {

    private static final Logger log = LoggerFactory.getLogger(Budgets.class);
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final Dependents dependents;
    private final InstantSource steady;

    /** Until when nothing is to be done. */
    private final PerCluster<Instant> applied = new PerCluster<>();

    /** @param steady by which it is counted how much time has passed: nobody sets it */
    public Budgets(Dependents dependents, InstantSource steady) {
        this.dependents = dependents;
        this.steady = steady;
    }

    /** Where that is refused, it must not keep a cluster from its failover: it is tried again a minute later. */
    public void apply(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        Instant until = applied.of(cluster).orElse(Instant.MIN);
        if (steady.instant().isBefore(until)) {
            return;
        }
        Instant next = steady.instant().plus(AGAIN);
        try {
            if (dependents
                    .apply(budget(cluster, context.client()), cluster, context)
                    .isPresent()) {
                next = Instant.MAX;
            }
        } catch (KubernetesClientException refused) {
            log.atWarn()
                    .addKeyValue("reason", ApiFailure.reason(refused))
                    .log("the PodDisruptionBudget cannot be applied, and is tried again");
        }
        applied.remember(cluster, next, context.lister(MySQLCluster.class));
    }

    private static HasMetadata budget(MySQLCluster cluster, KubernetesClient client) {
        String name = cluster.getMetadata().getName();
        ObjectMeta metadata = new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(cluster.getMetadata().getNamespace())
                .withLabels(ClusterNames.labels(name))
                .build();
        LabelSelector members = new LabelSelectorBuilder()
                .withMatchLabels(ClusterNames.labels(name))
                .build();
        IntOrString one = new IntOrString(1);
        if (client.hasApiGroup("policy", true) && serves(client, "policy/v1")) {
            return new io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder()
                    .withMetadata(metadata)
                    .withNewSpec()
                    .withMaxUnavailable(one)
                    .withSelector(members)
                    .endSpec()
                    .build();
        }
        return new io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudgetBuilder()
                .withMetadata(metadata)
                .withNewSpec()
                .withMaxUnavailable(one)
                .withSelector(members)
                .endSpec()
                .build();
    }

    private static boolean serves(KubernetesClient client, String version) {
        return client.getApiGroup("policy").getVersions().stream()
                .anyMatch(served -> served.getGroupVersion().equals(version));
    }
}
