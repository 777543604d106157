package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.bundled.DeclaredParts;
import io.busbar.operator.guestbook.GuestbookBundle;
import io.busbar.operator.guestbook.v1.Guestbook;
import io.busbar.operator.guestbook.v1.GuestbookStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EndToEnd("guestbook")
class GuestbookIT {

    private static final String INSTANCE = "app.kubernetes.io/instance";

    private final Cluster cluster;

    GuestbookIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void brings_up_the_classic_app_tier_by_tier_when_nothing_is_asked_for() {
        try (Seen<Deployment> seen = cluster.follow(Deployment.class)) {
            create("classic", "{foo: bar}");
            up("classic", 3);

            cluster.eventually(() -> assertThat(List.of(
                            version(seen.objects("classic-redis-leader"), 1),
                            version(seen.objects("classic-redis-follower"), 0),
                            version(seen.objects("classic-redis-follower"), 2),
                            version(seen.objects("classic-frontend"), 0)))
                    .as("versions at which a tier was up, and the next began")
                    .isSorted());
        }
        assertThat(Stream.of("redis-leader", "redis-follower", "frontend")
                        .map(tier -> deployment("classic-" + tier).getSpec().getReplicas()))
                .containsExactly(1, 2, 3);
        assertThat(Stream.of("redis-leader", "redis-follower", "frontend")
                        .map(tier -> cluster.get(Service.class, "classic-" + tier))
                        .map(service -> service.getSpec().getPorts().get(0).getPort()))
                .containsExactly(6379, 6379, 80);
        GuestbookStatus status = guestbook("classic").getStatus();
        assertThat(status.active()).isEqualTo(names(frontends("classic")).get(0));
        assertThat(status.standby())
                .isEqualTo(names(frontends("classic")).stream().skip(1).sorted().toList());
        assertThat(guestbook("classic").getSpec().size()).isEqualTo(3);
        assertThat(guestbook("classic").getSpec().followers()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "size: 0",
                "size: 11",
                "configMapName: ''",
                "configMapName: sixteen-letters-",
                "type: Letter",
                "followers: -1"
            })
    void refuses_what_is_out_of_bounds(String spec) {
        KubernetesClientException refusal = catchThrowableOfType(
                KubernetesClientException.class,
                () -> cluster.create(GenericKubernetesResource.class, yaml("refused", "{" + spec + "}")));

        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getMessage()).contains("spec." + spec.substring(0, spec.indexOf(':')));
    }

    @Test
    void the_sample_is_taken() {
        String sample = DeclaredParts.of(new GuestbookBundle()).samples().get(0).yaml();
        cluster.create(
                Guestbook.class,
                sample.replace("metadata:\n", "metadata:\n  namespace: " + cluster.namespace() + "\n"));

        up("guestbook-sample", 3);
    }

    @Test
    void rolls_out_changed_sizes_and_images() {
        create("change", "{size: 1, followers: 0}");
        up("change", 1);

        cluster.patch(
                guestbook("change"),
                "{\"spec\":{\"size\":2,\"followers\":1,\"frontendImage\":\"example/frontend:2\",\"leaderImage\":\"example/redis:7\"}}");
        up("change", 2);
        assertThat(frontends("change"))
                .hasSize(2)
                .allSatisfy(pod -> assertThat(image(pod)).isEqualTo("example/frontend:2"));
        assertThat(pods("change", "redis"))
                .extracting(GuestbookIT::image)
                .containsExactlyInAnyOrder(
                        "example/redis:7", "us-docker.pkg.dev/google-samples/containers/gke/gb-redis-follower:v2");
    }

    @Test
    void several_in_a_namespace_share_no_pods_and_go_one_by_one() {
        create("left", "{size: 2, followers: 1}");
        create("right", "{size: 1, followers: 1}");
        up("left", 2);
        up("right", 1);

        // Who keeps Endpoints is another one than who makes Pods ready.
        cluster.eventually(() -> {
            assertThat(addresses("right-frontend")).hasSize(1);
            assertThat(addresses("right-redis-leader")).hasSize(1);
            assertThat(addresses("left-frontend")).hasSize(2).doesNotContainAnyElementsOf(addresses("right-frontend"));
            assertThat(addresses("left-redis-leader"))
                    .hasSize(1)
                    .doesNotContainAnyElementsOf(addresses("right-redis-leader"));
        });
        String before = deployment("right-frontend").getMetadata().getResourceVersion();
        cluster.resource(Guestbook.class, "left").delete();
        cluster.eventually(() ->
                assertThat(cluster.resource(Guestbook.class, "left").get()).isNull());
        assertThat(guestbook("right").getStatus().readyFrontend()).isEqualTo(1);
        assertThat(deployment("right-frontend").getMetadata().getResourceVersion())
                .isEqualTo(before);
    }

    @Test
    void another_frontend_becomes_active_when_the_first_is_not_ready() {
        create("active", "{size: 3, followers: 0}");
        up("active", 3);
        List<Pod> oldestFirst = frontends("active");

        cluster.annotate(oldestFirst.get(0), "fake-kubelet/ready", "false");
        cluster.eventually(() -> {
            GuestbookStatus status = guestbook("active").getStatus();
            assertThat(status.active()).isEqualTo(names(oldestFirst).get(1));
            assertThat(status.standby()).containsExactly(names(oldestFirst).get(2));
            assertThat(status.readyFrontend()).isEqualTo(2);
            assertThat(status(guestbook("active"), "Available")).isEqualTo("False");
        });
        cluster.annotate(oldestFirst.get(0), "fake-kubelet/ready", "true");
        up("active", 3);
        assertThat(guestbook("active").getStatus().active())
                .isEqualTo(names(oldestFirst).get(0));
    }

    @Test
    void a_pod_of_the_same_labels_is_left_alone_and_not_counted() {
        create("foreign", "{size: 1, followers: 0}");
        up("foreign", 1);
        cluster.create(Pod.class, """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: foreign-pod
                  namespace: %s
                  labels: {app: guestbook, tier: frontend, app.kubernetes.io/instance: foreign}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: app, image: "example/app:1"}]
                """.formatted(cluster.namespace()));
        cluster.eventually(() ->
                assertThat(cluster.resource(Pod.class, "foreign-pod").isReady()).isTrue());
        String before = cluster.get(Pod.class, "foreign-pod").getMetadata().getResourceVersion();

        cluster.patch(guestbook("foreign"), "{\"spec\":{\"size\":2}}");
        up("foreign", 2);
        assertThat(guestbook("foreign").getStatus().standby()).doesNotContain("foreign-pod");
        assertThat(cluster.get(Pod.class, "foreign-pod").getMetadata().getResourceVersion())
                .isEqualTo(before);
    }

    @Test
    void mends_what_is_changed_or_deleted_by_hand() {
        create("drift", "{size: 1, followers: 1}");
        up("drift", 1);

        cluster.resource(Service.class, "drift-redis-leader").delete();
        cluster.resource(Deployment.class, "drift-redis-follower").delete();
        cluster.resource(Service.class, "drift-frontend").edit(service -> {
            service.getSpec().getPorts().get(0).setPort(8080);
            return service;
        });
        cluster.eventually(() -> {
            assertThat(cluster.resource(Service.class, "drift-redis-leader").get())
                    .isNotNull();
            assertThat(cluster.get(Service.class, "drift-frontend").getSpec().getPorts())
                    .extracting(ServicePort::getPort)
                    .containsExactly(80);
            assertThat(cluster.resource(Deployment.class, "drift-redis-follower")
                            .get())
                    .isNotNull();
        });
        up("drift", 1);
    }

    @Test
    void an_operator_that_was_stopped_in_the_middle_goes_on() {
        create("restart", "{size: 2, followers: 1}");
        cluster.eventually(() -> assertThat(cluster.resource(Deployment.class, "restart-redis-leader")
                        .get())
                .isNotNull());
        cluster.running().stopOperator();
        cluster.running().startOperator();

        up("restart", 2);
        assertThat(cluster.client()
                        .apps()
                        .deployments()
                        .inNamespace(cluster.namespace())
                        .list()
                        .getItems())
                .filteredOn(deployment -> deployment.getMetadata().getName().startsWith("restart-"))
                .hasSize(3);
    }

    @Test
    void writes_nothing_when_nothing_changes() {
        create("quiet", "{size: 1, followers: 0}");
        up("quiet", 1);
        String before = guestbook("quiet").getMetadata().getResourceVersion();
        for (int i = 0; i < 3; i++) {
            String touch = "{\"metadata\":{\"labels\":{\"touched\":\"" + i + "\"}}}";
            cluster.andReconciled("guestbook", () -> cluster.patch(deployment("quiet-frontend"), touch));
        }

        assertThat(guestbook("quiet").getMetadata().getResourceVersion()).isEqualTo(before);
        assertThat(Stream.of("redis-leader", "redis-follower", "frontend")
                        .map(tier -> deployment("quiet-" + tier).getMetadata().getGeneration()))
                .containsExactly(1L, 1L, 1L);
    }

    /** The first one at which so many Pods are available. */
    private static long version(List<Deployment> seen, int available) {
        return seen.stream()
                .filter(deployment ->
                        Objects.requireNonNullElse(deployment.getStatus().getAvailableReplicas(), 0) >= available)
                .mapToLong(deployment -> Long.parseLong(deployment.getMetadata().getResourceVersion()))
                .findFirst()
                .orElseThrow();
    }

    private void create(String name, String spec) {
        cluster.create(Guestbook.class, yaml(name, spec));
    }

    private String yaml(String name, String spec) {
        return """
                apiVersion: webapp.my.domain/v1
                kind: Guestbook
                metadata: {name: %s, namespace: %s}
                spec: %s
                """.formatted(name, cluster.namespace(), spec);
    }

    private Guestbook guestbook(String name) {
        return cluster.get(Guestbook.class, name);
    }

    private Deployment deployment(String name) {
        return cluster.get(Deployment.class, name);
    }

    /** Those that are not being deleted, the oldest first. */
    private List<Pod> frontends(String guestbook) {
        return pods(guestbook, "guestbook");
    }

    private List<Pod> pods(String guestbook, String app) {
        return cluster
                .client()
                .pods()
                .inNamespace(cluster.namespace())
                .withLabel(INSTANCE, guestbook)
                .withLabel("app", app)
                .list()
                .getItems()
                .stream()
                .filter(pod -> !pod.isMarkedForDeletion())
                .sorted(Comparator.comparing((Pod pod) -> pod.getMetadata().getCreationTimestamp())
                        .thenComparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    private List<String> addresses(String service) {
        return cluster
                .client()
                .endpoints()
                .inNamespace(cluster.namespace())
                .withName(service)
                .require()
                .getSubsets()
                .stream()
                .flatMap(subset -> subset.getAddresses().stream())
                .map(address -> address.getIp())
                .toList();
    }

    private static List<String> names(List<? extends HasMetadata> objects) {
        return objects.stream().map(object -> object.getMetadata().getName()).toList();
    }

    private static String image(Pod pod) {
        return pod.getSpec().getContainers().get(0).getImage();
    }

    /** Of the generation that is stored, with nothing left to do. */
    private void up(String name, int frontends) {
        cluster.eventually(() -> {
            Guestbook guestbook = guestbook(name);
            GuestbookStatus status = guestbook.getStatus();
            assertThat(status).as("status of %s", name).isNotNull();
            assertThat(status.observedGeneration())
                    .isEqualTo(guestbook.getMetadata().getGeneration());
            assertThat(status(guestbook, "Available")).isEqualTo("True");
            assertThat(status(guestbook, "Progressing")).isEqualTo("False");
            assertThat(status(guestbook, "Degraded")).isEqualTo("False");
            assertThat(status.readyFrontend()).isEqualTo(frontends);
        });
    }

    private static String status(Guestbook guestbook, String type) {
        return Conditions.find(guestbook.getStatus().conditions(), type)
                .map(Condition::getStatus)
                .orElse("not said");
    }
}
