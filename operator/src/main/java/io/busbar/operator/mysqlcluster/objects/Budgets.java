package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;

/**
 * PodDisruptionBudgets: drains take one member at a time. Clusters before 1.21 have only a version of the kind that those since 1.25 do not have,
 * so that none is watched: one is applied once for each cluster in the life of the operator. Any thread.
 */
public final class Budgets {

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(ClusterNames.APP_VALUE)
            .withForce(true)
            .build();

    private final PerCluster<String> applied = new PerCluster<>();

    public void apply(MySQLCluster cluster, ReconcileContext<MySQLCluster> context) {
        if (applied.of(cluster).isPresent()) {
            return;
        }
        KubernetesClient client = context.client();
        String version =
                client.hasApiGroup("policy", true) && serves(client, "policy/v1") ? "policy/v1" : "policy/v1beta1";
        client.resource(budget(cluster, version)).patch(APPLY);
        applied.remember(cluster, version, context.lister(MySQLCluster.class));
    }

    private static boolean serves(KubernetesClient client, String version) {
        return client.getApiGroup("policy").getVersions().stream()
                .anyMatch(served -> served.getGroupVersion().equals(version));
    }

    private static GenericKubernetesResource budget(MySQLCluster cluster, String version) {
        String name = cluster.getMetadata().getName();
        return new GenericKubernetesResourceBuilder()
                .withApiVersion(version)
                .withKind("PodDisruptionBudget")
                .withNewMetadata()
                .withName(name)
                .withNamespace(cluster.getMetadata().getNamespace())
                .withLabels(ClusterNames.labels(name))
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(cluster.getApiVersion())
                        .withKind(cluster.getKind())
                        .withName(name)
                        .withUid(cluster.getMetadata().getUid())
                        .withController(true)
                        .withBlockOwnerDeletion(true)
                        .build())
                .endMetadata()
                .addToAdditionalProperties(
                        "spec",
                        Map.of("maxUnavailable", 1, "selector", Map.of("matchLabels", ClusterNames.labels(name))))
                .build();
    }
}
