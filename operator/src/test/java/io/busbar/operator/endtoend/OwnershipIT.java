package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.guestbook.v1.Guestbook;
import io.busbar.operator.guestbook.v1.GuestbookStatus;
import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.operator.memcached.v1alpha1.MemcachedStatus;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Objects of users that have the names of an operator's dependents: most are of no label, so that no watch of the
 * operator shows them.
 */
@EndToEnd
class OwnershipIT {

    private static final String REASON = "ObjectNotOwned";

    private final Cluster cluster;

    OwnershipIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void a_users_service_is_left_alone_and_named_and_stays_when_the_cluster_goes() {
        service("shop-primary");
        String before = raw("services", "shop-primary");
        mysqlCluster("shop");

        cluster.eventually(() ->
                assertNamed(degraded(status("shop").conditions()), "Service", "shop-primary", "has no controller"));
        cluster.eventually(() -> assertThat(events("shop")).hasSize(1));
        cluster.eventually(
                () -> assertThat(cluster.resource(StatefulSet.class, "shop").get())
                        .as("the rest goes on")
                        .isNotNull());
        cluster.resource(MySQLCluster.class, "shop").delete();
        cluster.eventually(() ->
                assertThat(cluster.resource(StatefulSet.class, "shop").get()).isNull());

        assertThat(raw("services", "shop-primary")).isEqualTo(before);
    }

    @Test
    void a_cluster_goes_on_once_the_users_service_is_gone() {
        service("later-primary");
        mysqlCluster("later");
        cluster.eventually(() ->
                assertNamed(degraded(status("later").conditions()), "Service", "later-primary", "has no controller"));

        cluster.resource(Service.class, "later-primary").delete();

        cluster.eventually(() -> {
            Service made = cluster.resource(Service.class, "later-primary").get();
            assertThat(made).isNotNull();
            assertThat(made.getMetadata().getOwnerReferences())
                    .extracting(owner -> owner.getName())
                    .containsExactly("later");
            assertThat(degraded(status("later").conditions()).getReason()).isNotEqualTo(REASON);
        });
    }

    @Test
    void servers_are_begun_only_with_a_configuration_and_a_set_that_are_the_clusters() {
        String settings = new ClusterObjects(Serialization.unmarshal(yaml("blocked"), MySQLCluster.class))
                .config()
                .getMetadata()
                .getName();
        cluster.create(ConfigMap.class, """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: %s, namespace: %s}
                data: {mine: "true"}
                """.formatted(settings, cluster.namespace()));
        String map = raw("configmaps", settings);
        mysqlCluster("blocked");
        cluster.eventually(() ->
                assertNamed(degraded(status("blocked").conditions()), "ConfigMap", settings, "has no controller"));
        assertThat(cluster.resource(StatefulSet.class, "blocked").get()).isNull();
        assertThat(raw("configmaps", settings)).isEqualTo(map);

        cluster.create(StatefulSet.class, """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: blocked, namespace: %s}
                spec:
                  replicas: 0
                  serviceName: mine
                  selector: {matchLabels: {app: mine}}
                  template:
                    metadata: {labels: {app: mine}}
                    spec: {containers: [{name: mine, image: "example/mine:1"}]}
                """.formatted(cluster.namespace()));
        cluster.resource(ConfigMap.class, settings).delete();
        cluster.eventually(() ->
                assertNamed(degraded(status("blocked").conditions()), "StatefulSet", "blocked", "has no controller"));
        assertThat(cluster.get(StatefulSet.class, "blocked").getSpec().getServiceName())
                .isEqualTo("mine");
        cluster.resource(StatefulSet.class, "blocked").delete();

        cluster.eventually(() -> {
            StatefulSet made = cluster.resource(StatefulSet.class, "blocked").get();
            assertThat(made).isNotNull();
            assertThat(made.getMetadata().getOwnerReferences())
                    .extracting(owner -> owner.getName())
                    .containsExactly("blocked");
        });
    }

    @Test
    void a_users_disruption_budget_is_left_alone() {
        String path =
                "/apis/policy/" + budgetVersion() + "/namespaces/" + cluster.namespace() + "/poddisruptionbudgets/";
        cluster.create(GenericKubernetesResource.class, """
                apiVersion: policy/%s
                kind: PodDisruptionBudget
                metadata: {name: budget, namespace: %s}
                spec: {maxUnavailable: 0, selector: {matchLabels: {app: mine}}}
                """.formatted(budgetVersion(), cluster.namespace()));
        mysqlCluster("budget");

        cluster.eventually(() -> assertNamed(
                degraded(status("budget").conditions()), "PodDisruptionBudget", "budget", "has no controller"));
        assertThat(cluster.client().raw(path + "budget"))
                .contains("\"app\":\"mine\"")
                .doesNotContain("ownerReferences");
    }

    @Test
    void a_users_deployment_is_left_alone_by_a_memcached_which_goes_on_later() {
        deployment("cache");
        String before = spec("cache");
        cluster.create(Memcached.class, """
                apiVersion: cache.example.com/v1alpha1
                kind: Memcached
                metadata: {name: cache, namespace: %s}
                spec: {size: 1}
                """.formatted(cluster.namespace()));

        cluster.eventually(() -> assertNamed(
                degraded(conditions(cluster.get(Memcached.class, "cache").getStatus(), MemcachedStatus::conditions)),
                "Deployment",
                "cache",
                "has no controller"));
        cluster.eventually(() -> assertThat(events("cache")).hasSize(1));
        assertThat(spec("cache")).isEqualTo(before);
        cluster.resource(Deployment.class, "cache").delete();

        cluster.eventually(() -> assertThat(degraded(cluster.get(Memcached.class, "cache")
                                .getStatus()
                                .conditions())
                        .getStatus())
                .isEqualTo("False"));
    }

    @Test
    void a_users_service_holds_up_the_stages_of_a_guestbook_and_is_left_alone() {
        service("book-redis-leader");
        String before = raw("services", "book-redis-leader");
        cluster.create(Guestbook.class, """
                apiVersion: webapp.my.domain/v1
                kind: Guestbook
                metadata: {name: book, namespace: %s}
                spec: {size: 1, followers: 0}
                """.formatted(cluster.namespace()));

        cluster.eventually(() -> assertNamed(
                degraded(conditions(cluster.get(Guestbook.class, "book").getStatus(), GuestbookStatus::conditions)),
                "Service",
                "book-redis-leader",
                "has no controller"));
        cluster.eventually(() -> assertThat(events("book")).hasSize(1));
        assertThat(raw("services", "book-redis-leader")).isEqualTo(before);
        assertThat(cluster.resource(Deployment.class, "book-frontend").get()).isNull();
    }

    private static void assertNamed(Condition degraded, String kind, String name, String whose) {
        assertThat(degraded.getStatus()).isEqualTo("True");
        assertThat(degraded.getReason()).isEqualTo(REASON);
        assertThat(degraded.getMessage()).contains(kind, "/" + name + " ", whose);
    }

    /** None while there is no status. */
    private static <S> List<Condition> conditions(@Nullable S status, Function<S, List<Condition>> conditions) {
        return status == null ? List.of() : conditions.apply(status);
    }

    private static Condition degraded(List<Condition> conditions) {
        return Conditions.find(conditions, "Degraded").orElseThrow(() -> new AssertionError("not told: " + conditions));
    }

    private MySQLClusterStatus status(String name) {
        return cluster.get(MySQLCluster.class, name).told();
    }

    /** Those that name an object that is somebody else's, repeated ones once. */
    private List<Event> events(String regarding) {
        return cluster.client().events().v1().events().inNamespace(cluster.namespace()).list().getItems().stream()
                .filter(event -> REASON.equals(event.getReason()))
                .filter(event -> {
                    ObjectReference object = event.getRegarding();
                    return object != null && regarding.equals(object.getName());
                })
                .toList();
    }

    private String raw(String plural, String name) {
        return cluster.client().raw("/api/v1/namespaces/" + cluster.namespace() + "/" + plural + "/" + name);
    }

    private String budgetVersion() {
        return cluster.client().getApiGroup("policy").getVersions().stream()
                        .anyMatch(version -> version.getVersion().equals("v1"))
                ? "v1"
                : "v1beta1";
    }

    private String spec(String deployment) {
        HasMetadata object = cluster.get(Deployment.class, deployment);
        return ((Deployment) object).getSpec() + " " + object.getMetadata().getOwnerReferences() + " "
                + object.getMetadata().getLabels();
    }

    private void mysqlCluster(String name) {
        cluster.create(MySQLCluster.class, yaml(name));
    }

    private String yaml(String name) {
        return """
                apiVersion: database.example.com/v1alpha1
                kind: MySQLCluster
                metadata: {name: %s, namespace: %s}
                spec: {size: 1, image: "mariadb:10.11"}
                """.formatted(name, cluster.namespace());
    }

    private void service(String name) {
        cluster.create(Service.class, """
                apiVersion: v1
                kind: Service
                metadata: {name: %s, namespace: %s, annotations: {mine: "true"}}
                spec: {selector: {app: mine}, ports: [{name: web, port: 80, protocol: TCP}]}
                """.formatted(name, cluster.namespace()));
    }

    private void deployment(String name) {
        cluster.create(Deployment.class, """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: %s, namespace: %s}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: mine}}
                  template:
                    metadata: {labels: {app: mine}}
                    spec: {containers: [{name: mine, image: "example/mine:1"}]}
                """.formatted(name, cluster.namespace()));
    }
}
