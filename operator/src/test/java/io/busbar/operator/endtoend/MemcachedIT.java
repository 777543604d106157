package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.bundled.DeclaredParts;
import io.busbar.operator.memcached.MemcachedBundle;
import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.operator.memcached.v1alpha1.MemcachedSpec;
import io.busbar.operator.memcached.v1alpha1.MemcachedStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EndToEnd("memcached")
class MemcachedIT {

    private static final String FINALIZER = "cache.example.com/finalizer";
    private static final String INSTANCE = "app.kubernetes.io/instance";

    private final Cluster cluster;

    MemcachedIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void runs_as_many_servers_as_are_asked_for_and_says_so_step_by_step() {
        try (Seen<Memcached> seen = cluster.follow(Memcached.class)) {
            create("steps", "{size: 2, containerPort: 11311}");
            available("steps", 2);

            cluster.eventually(() -> assertThat(seen.objects("steps").stream()
                            .map(MemcachedIT::conditions)
                            .filter(conditions -> !conditions.isEmpty())
                            .findFirst()
                            .orElseThrow())
                    .singleElement()
                    .satisfies(first -> {
                        assertThat(first.getType()).isEqualTo("Available");
                        assertThat(first.getStatus()).isEqualTo("Unknown");
                        assertThat(first.getReason()).isEqualTo("Reconciling");
                        assertThat(first.getMessage()).isEqualTo("Starting reconciliation");
                    }));
            cluster.eventually(() -> assertThat(seen.objects("steps"))
                    .anySatisfy(one -> assertThat(status(one, "Progressing")).isEqualTo("True")));
        }
        Memcached memcached = memcached("steps");
        assertThat(memcached.getMetadata().getFinalizers()).containsExactly(FINALIZER);
        assertThat(status(memcached, "Progressing")).isEqualTo("False");
        assertThat(status(memcached, "Degraded")).isEqualTo("False");
        assertThat(ports("steps")).containsExactly(11311);
        assertThat(deployment("steps").getMetadata().getOwnerReferences())
                .singleElement()
                .extracting(OwnerReference::getUid)
                .isEqualTo(memcached.getMetadata().getUid());
    }

    @Test
    void stores_the_defaults_also_without_a_spec() {
        Memcached stored = cluster.create(Memcached.class, """
                apiVersion: cache.example.com/v1alpha1
                kind: Memcached
                metadata: {name: defaults, namespace: %s}
                """.formatted(cluster.namespace()));

        assertThat(stored.getSpec()).isEqualTo(new MemcachedSpec(1, 11211));
        available("defaults", 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"size: 0", "size: 4", "containerPort: 0", "containerPort: 65536"})
    void refuses_what_is_out_of_bounds(String spec) {
        KubernetesClientException refusal =
                catchThrowableOfType(KubernetesClientException.class, () -> create("refused", "{" + spec + "}"));

        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getMessage()).contains("spec." + spec.substring(0, spec.indexOf(':')));
    }

    @Test
    void the_sample_is_taken() {
        String sample =
                DeclaredParts.of(new MemcachedBundle(Map.of())).samples().get(0).yaml();
        cluster.create(
                Memcached.class,
                sample.replace("metadata:\n", "metadata:\n  namespace: " + cluster.namespace() + "\n"));

        available("memcached-sample", 3);
    }

    @Test
    void changes_back_what_is_changed_by_hand() {
        create("drift", "{size: 2}");
        available("drift", 2);

        cluster.patch(deployment("drift"), "{\"spec\":{\"replicas\":5}}");
        cluster.eventually(
                () -> assertThat(deployment("drift").getSpec().getReplicas()).isEqualTo(2));
        editContainer("drift", "image", "\"example/other:1\"");
        cluster.eventually(() -> assertThat(container("drift").getImage()).isEqualTo("memcached:1.4.36-alpine"));
        editContainer("drift", "ports/0/containerPort", "9999");
        cluster.eventually(() -> assertThat(ports("drift")).containsExactly(11211));

        available("drift", 2);
        cluster.eventually(() -> assertThat(pods("drift")).hasSize(2));
    }

    @Test
    void follows_a_changed_size_and_port() {
        create("change", "{size: 1}");
        available("change", 1);

        cluster.patch(memcached("change"), "{\"spec\":{\"size\":3,\"containerPort\":11311}}");
        available("change", 3);
        assertThat(ports("change")).containsExactly(11311);
    }

    @Test
    void makes_a_deleted_deployment_again() {
        create("again", "{size: 1}");
        available("again", 1);
        String uid = deployment("again").getMetadata().getUid();

        cluster.resource(Deployment.class, "again").delete();
        cluster.eventually(
                () -> assertThat(cluster.resource(Deployment.class, "again").get())
                        .isNotNull()
                        .extracting(deployment -> deployment.getMetadata().getUid())
                        .isNotEqualTo(uid));
        available("again", 1);
    }

    @Test
    void two_of_them_share_no_pods() {
        create("one", "{size: 2}");
        create("two", "{size: 1}");
        available("one", 2);
        available("two", 1);

        Map<String, String> selector = deployment("one").getSpec().getSelector().getMatchLabels();
        assertThat(cluster.client()
                        .pods()
                        .inNamespace(cluster.namespace())
                        .withLabels(selector)
                        .list()
                        .getItems())
                .hasSize(2)
                .allSatisfy(pod -> assertThat(pod.getMetadata().getLabels()).containsEntry(INSTANCE, "one"));
    }

    @Test
    void tells_of_a_deletion_before_it_lets_go() {
        create("going", "{size: 1}");
        available("going", 1);
        try (Seen<Memcached> seen = cluster.follow(Memcached.class)) {
            cluster.resource(Memcached.class, "going").delete();
            gone("going");

            cluster.eventually(() -> assertThat(seen.objects("going").stream()
                            .map(one ->
                                    Conditions.find(conditions(one), "Degraded").orElseThrow())
                            .filter(degraded -> degraded.getReason().equals("Finalizing"))
                            .map(Condition::getStatus)
                            .distinct())
                    .containsExactly("Unknown", "True"));
        }
        cluster.eventually(() -> assertThat(events("going")).singleElement().satisfies(event -> {
            assertThat(event.getType()).isEqualTo("Warning");
            assertThat(event.getReason()).isEqualTo("Deleting");
            assertThat(event.getAction()).isEqualTo("DeleteCR");
        }));
    }

    @Test
    void an_operator_that_was_away_catches_up() {
        create("away", "{size: 2}");
        create("leaving", "{size: 1}");
        available("away", 2);
        available("leaving", 1);

        cluster.running().stopOperator();
        try {
            cluster.patch(deployment("away"), "{\"spec\":{\"replicas\":1}}");
            cluster.resource(Memcached.class, "leaving").delete();
            assertThat(memcached("leaving").isMarkedForDeletion()).isTrue();
        } finally {
            cluster.running().startOperator();
        }

        gone("leaving");
        cluster.eventually(() -> assertThat(events("leaving")).hasSize(1));
        available("away", 2);
    }

    @Test
    void never_adds_its_finalizer_while_deleting() {
        create("held", "{size: 1}");
        available("held", 1);
        Memcached held = memcached("held");
        cluster.patch(held, "{\"metadata\":{\"finalizers\":[\"" + FINALIZER + "\",\"example.com/hold\"]}}");

        cluster.resource(Memcached.class, "held").delete();
        cluster.eventually(() ->
                assertThat(memcached("held").getMetadata().getFinalizers()).containsExactly("example.com/hold"));
        cluster.andReconciled("memcached", () -> cluster.patch(held, "{\"spec\":{\"size\":2}}"));
        assertThat(memcached("held").getMetadata().getFinalizers()).containsExactly("example.com/hold");
        assertThat(deployment("held").getSpec().getReplicas()).isEqualTo(1);
        cluster.patch(held, "{\"metadata\":{\"finalizers\":[]}}");
        gone("held");
    }

    @Test
    void leaves_a_deployment_of_its_name_that_is_not_its_own_alone_and_says_so() {
        Deployment theirs = cluster.create(Deployment.class, """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: taken, namespace: %s, labels: {app.kubernetes.io/instance: taken}}
                spec:
                  replicas: 0
                  selector: {matchLabels: {app: theirs}}
                  template:
                    metadata: {labels: {app: theirs}}
                    spec: {containers: [{name: app, image: "example/app:1"}]}
                """.formatted(cluster.namespace()));
        create("taken", "{size: 1}");

        cluster.eventually(() -> assertThat(Conditions.find(conditions(memcached("taken")), "Degraded"))
                .hasValueSatisfying(degraded -> {
                    assertThat(degraded.getStatus()).isEqualTo("True");
                    assertThat(degraded.getReason()).isEqualTo("ObjectNotOwned");
                    assertThat(degraded.getMessage())
                            .contains("Deployment " + cluster.namespace() + "/taken ")
                            .contains("has no controller");
                }));
        assertThat(status(memcached("taken"), "Available")).isEqualTo("False");
        assertThat(deployment("taken").getSpec()).isEqualTo(theirs.getSpec());
        assertThat(deployment("taken").getMetadata().getOwnerReferences()).isEmpty();

        cluster.resource(Deployment.class, "taken").delete();
        available("taken", 1);
    }

    @Test
    void writes_nothing_when_nothing_changes() {
        create("quiet", "{size: 1}");
        available("quiet", 1);
        String memcached = memcached("quiet").getMetadata().getResourceVersion();
        for (int i = 0; i < 3; i++) {
            String touch = "{\"metadata\":{\"labels\":{\"touched\":\"" + i + "\"}}}";
            cluster.andReconciled("memcached", () -> cluster.patch(deployment("quiet"), touch));
        }

        assertThat(memcached("quiet").getMetadata().getResourceVersion()).isEqualTo(memcached);
        Deployment deployment = deployment("quiet");
        assertThat(deployment.getMetadata().getGeneration()).isEqualTo(1);
        assertThat(deployment.getMetadata().getManagedFields())
                .filteredOn(fields -> fields.getManager().equals("memcached"))
                .hasSize(1);
    }

    private void create(String name, String spec) {
        cluster.create(Memcached.class, """
                apiVersion: cache.example.com/v1alpha1
                kind: Memcached
                metadata: {name: %s, namespace: %s}
                spec: %s
                """.formatted(name, cluster.namespace(), spec));
    }

    private Memcached memcached(String name) {
        return cluster.get(Memcached.class, name);
    }

    private Deployment deployment(String name) {
        return cluster.get(Deployment.class, name);
    }

    private Container container(String name) {
        return deployment(name)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0);
    }

    private List<Integer> ports(String name) {
        return container(name).getPorts().stream()
                .map(ContainerPort::getContainerPort)
                .toList();
    }

    private void editContainer(String name, String field, String value) {
        cluster.resource(Deployment.class, name)
                .patch(
                        PatchContext.of(PatchType.JSON),
                        "[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/" + field + "\",\"value\":"
                                + value + "}]");
    }

    private List<Pod> pods(String name) {
        return cluster
                .client()
                .pods()
                .inNamespace(cluster.namespace())
                .withLabel(INSTANCE, name)
                .list()
                .getItems()
                .stream()
                .filter(pod -> !pod.isMarkedForDeletion())
                .toList();
    }

    private List<Event> events(String name) {
        return cluster.client().events().v1().events().inNamespace(cluster.namespace()).list().getItems().stream()
                .filter(event -> event.getRegarding().getKind().equals("Memcached")
                        && event.getRegarding().getName().equals(name))
                .toList();
    }

    /** Of the generation that is stored, with nothing left to do. */
    private void available(String name, int servers) {
        cluster.eventually(() -> {
            Memcached memcached = memcached(name);
            MemcachedStatus status = memcached.getStatus();
            assertThat(status).as("status of %s", name).isNotNull();
            assertThat(status.observedGeneration())
                    .isEqualTo(memcached.getMetadata().getGeneration());
            assertThat(status(memcached, "Available")).isEqualTo("True");
            assertThat(status(memcached, "Progressing")).isEqualTo("False");
            assertThat(status.readyReplicas()).isEqualTo(servers);
        });
    }

    private void gone(String name) {
        cluster.eventually(
                () -> assertThat(cluster.resource(Memcached.class, name).get()).isNull());
    }

    private static List<Condition> conditions(Memcached memcached) {
        return memcached.getStatus() == null ? List.of() : memcached.getStatus().conditions();
    }

    private static String status(Memcached memcached, String type) {
        return Conditions.find(conditions(memcached), type)
                .map(Condition::getStatus)
                .orElse("not said");
    }
}
