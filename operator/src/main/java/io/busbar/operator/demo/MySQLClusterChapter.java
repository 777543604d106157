package io.busbar.operator.demo;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.mysqlcluster.decide.ConditionTypes;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.stream.Collectors;

/**
 * What is made for a MySQLCluster, what it says as long as no server answers, as none runs in a simulated Pod, and a
 * change that is refused.
 */
final class MySQLClusterChapter implements Chapter {

    private static final String NAME = "orders";
    private static final String CLUSTER = """
            apiVersion: database.example.com/v1alpha1
            kind: MySQLCluster
            metadata:
              name: %s
              namespace: %s
            spec:
              size: 3
              version: "9.7"
              storage:
                size: 1Gi
              replication:
                semiSync: true
            """.formatted(NAME, Stage.NAMESPACE);

    @Override
    public String title() {
        return "MySQLCluster, without its servers: a simulated Pod answers no SQL";
    }

    @Override
    @SuppressWarnings("try") // the watches tell for as long as they are open
    public void tell(Stage stage) throws InterruptedException {
        Narrator narrator = stage.narrator();
        try (Followed<MySQLCluster> clusters = stage.follow(MySQLCluster.class, one -> describe(one, narrator));
                Followed<PersistentVolumeClaim> claims =
                        stage.follow(PersistentVolumeClaim.class, claim -> describe(claim, narrator))) {
            narrator.step("kubectl apply a MySQLCluster of three servers, with semi-synchronous replication");
            Resource<MySQLCluster> cluster =
                    stage.client().resource(Serialization.unmarshal(CLUSTER, MySQLCluster.class));
            cluster.create();
            clusters.await(
                    "one of three Pods",
                    one -> one.getStatus() != null && one.getStatus().nodes().size() == 3);
            narrator.tell("Services", services(stage));
            String other = "mariadb:11.4";
            narrator.step("kubectl patch it to the image " + other);
            try {
                cluster.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"image\":\"" + other + "\"}}");
                throw new IllegalStateException("another product's image was let through");
            } catch (KubernetesClientException refused) {
                narrator.tell("refused", refused.getStatus().getMessage());
            }
        }
    }

    private static void describe(MySQLCluster cluster, Narrator narrator) {
        String subject = "MySQLCluster " + cluster.getMetadata().getName();
        MySQLClusterStatus status = cluster.getStatus();
        if (status != null && status.phase() != null) {
            narrator.tell(subject, status.phase() + ": " + status.nodes().size() + " Pods, " + waitingFor(cluster));
        }
    }

    private static void describe(PersistentVolumeClaim claim, Narrator narrator) {
        narrator.tell(
                "Claim " + claim.getMetadata().getName(), claim.getStatus().getPhase());
    }

    /** In words; empty while that is not known. */
    private static String waitingFor(MySQLCluster cluster) {
        return cluster.getStatus() == null
                ? ""
                : Conditions.find(cluster.getStatus().conditions(), ConditionTypes.PRIMARY_READY)
                        .map(Condition::getMessage)
                        .orElse("");
    }

    private static String services(Stage stage) {
        return stage.client().services().inNamespace(Stage.NAMESPACE).list().getItems().stream()
                .map(service -> service.getMetadata().getName())
                .filter(name -> name.startsWith(NAME))
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
