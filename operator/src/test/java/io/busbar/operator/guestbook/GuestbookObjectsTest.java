package io.busbar.operator.guestbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.guestbook.v1.Guestbook;
import io.busbar.operator.guestbook.v1.GuestbookSpec;
import io.busbar.operator.guestbook.v1.GuestbookType;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GuestbookObjectsTest {

    private static final GuestbookSpec FULL = new GuestbookSpec(
            "bar",
            5,
            "settings",
            GuestbookType.Phone,
            "example/frontend:1",
            "example/leader:1",
            "example/follower:1",
            4);

    @Test
    void every_object_is_named_after_the_guestbook() {
        GuestbookObjects objects = objects("a", null);

        assertThat(List.<HasMetadata>of(
                        objects.leader(),
                        objects.leaderService(),
                        objects.followers(),
                        objects.followerService(),
                        objects.frontends(),
                        objects.frontendService()))
                .extracting(object -> object.getMetadata().getName())
                .containsExactly(
                        "a-redis-leader",
                        "a-redis-leader",
                        "a-redis-follower",
                        "a-redis-follower",
                        "a-frontend",
                        "a-frontend");
    }

    @Test
    void is_the_classic_app_when_nothing_is_said() {
        GuestbookObjects objects = objects("a", null);

        assertThat(replicas(objects)).containsExactly(1, 2, 3);
        assertThat(images(objects))
                .containsExactly(
                        "docker.io/redis:6.0.5",
                        "us-docker.pkg.dev/google-samples/containers/gke/gb-redis-follower:v2",
                        "us-docker.pkg.dev/google-samples/containers/gke/gb-frontend:v5");
    }

    @Test
    void takes_sizes_and_images_from_the_spec() {
        GuestbookObjects objects = objects("a", FULL);

        assertThat(replicas(objects)).containsExactly(1, 4, 5);
        assertThat(images(objects)).containsExactly("example/leader:1", "example/follower:1", "example/frontend:1");
    }

    @Test
    void frontends_and_followers_find_the_guestbooks_own_redis() {
        GuestbookObjects objects = objects("a", null);

        assertThat(container(objects.frontends()).getEnv())
                .containsExactly(
                        new EnvVar("GET_HOSTS_FROM", "env", null),
                        new EnvVar("REDIS_LEADER_SERVICE_HOST", "a-redis-leader", null),
                        new EnvVar("REDIS_FOLLOWER_SERVICE_HOST", "a-redis-follower", null));
        assertThat(container(objects.followers()).getEnv())
                .contains(new EnvVar("REDIS_LEADER_SERVICE_HOST", "a-redis-leader", null));
    }

    @Test
    void frontends_get_the_type_and_the_config_map_where_they_are_said() {
        Container frontend = container(objects("a", FULL).frontends());

        assertThat(frontend.getEnv()).contains(new EnvVar("GUESTBOOK_TYPE", "Phone", null));
        assertThat(frontend.getEnvFrom()).singleElement().satisfies(source -> {
            assertThat(source.getConfigMapRef().getName()).isEqualTo("settings");
            assertThat(source.getConfigMapRef().getOptional()).isTrue();
        });
        assertThat(container(objects("a", null).frontends()).getEnvFrom()).isEmpty();
    }

    @Test
    void services_select_the_pods_of_their_tier_and_of_their_guestbook_only() {
        List<Deployment> all = Stream.of(objects("a", null), objects("b", null))
                .flatMap(objects -> deployments(objects).stream())
                .toList();
        GuestbookObjects objects = objects("a", null);

        assertThat(selected(objects.leaderService(), all)).containsExactly("a-redis-leader");
        assertThat(selected(objects.followerService(), all)).containsExactly("a-redis-follower");
        assertThat(selected(objects.frontendService(), all)).containsExactly("a-frontend");
    }

    private static List<String> selected(Service service, List<Deployment> deployments) {
        return deployments.stream()
                .filter(deployment -> labels(deployment)
                        .entrySet()
                        .containsAll(service.getSpec().getSelector().entrySet()))
                .map(deployment -> deployment.getMetadata().getName())
                .toList();
    }

    private static Map<String, String> labels(Deployment deployment) {
        return deployment.getSpec().getTemplate().getMetadata().getLabels();
    }

    private static List<Integer> replicas(GuestbookObjects objects) {
        return deployments(objects).stream()
                .map(deployment -> deployment.getSpec().getReplicas())
                .toList();
    }

    private static List<String> images(GuestbookObjects objects) {
        return deployments(objects).stream()
                .map(deployment -> container(deployment).getImage())
                .toList();
    }

    private static List<Deployment> deployments(GuestbookObjects objects) {
        return List.of(objects.leader(), objects.followers(), objects.frontends());
    }

    private static Container container(Deployment deployment) {
        return deployment.getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    private static GuestbookObjects objects(String name, GuestbookSpec spec) {
        Guestbook guestbook = new Guestbook();
        guestbook.getMetadata().setName(name);
        guestbook.getMetadata().setNamespace("ns");
        guestbook.setSpec(spec);
        return new GuestbookObjects(guestbook);
    }
}
