package io.busbar.operator.guestbook;

import io.busbar.operator.guestbook.v1.Guestbook;
import io.busbar.operator.guestbook.v1.GuestbookSpec;
import io.busbar.reconciler.dependent.Template;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSourceBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The objects that a Guestbook asks for: the YAML files beside this class, filled in. Immutable. */
final class GuestbookObjects {

    static final String LEADER_IMAGE = "docker.io/redis:6.0.5";
    static final String FOLLOWER_IMAGE = "us-docker.pkg.dev/google-samples/containers/gke/gb-redis-follower:v2";
    static final String FRONTEND_IMAGE = "us-docker.pkg.dev/google-samples/containers/gke/gb-frontend:v5";

    private static final Template LEADER = template("redis-leader-deployment.yaml");
    private static final Template LEADER_SERVICE = template("redis-leader-service.yaml");
    private static final Template FOLLOWERS = template("redis-follower-deployment.yaml");
    private static final Template FOLLOWER_SERVICE = template("redis-follower-service.yaml");
    private static final Template FRONTENDS = template("frontend-deployment.yaml");
    private static final Template FRONTEND_SERVICE = template("frontend-service.yaml");

    private final Guestbook guestbook;
    private final GuestbookSpec spec;

    GuestbookObjects(Guestbook guestbook) {
        this.guestbook = guestbook;
        this.spec = guestbook.wanted();
    }

    /** The name of {@link #frontends}. */
    static String frontendsName(Guestbook guestbook) {
        return guestbook.getMetadata().getName() + "-frontend";
    }

    Deployment leader() {
        return LEADER.fill(Deployment.class, guestbook, Map.of("image", orElse(spec.leaderImage(), LEADER_IMAGE)));
    }

    Service leaderService() {
        return LEADER_SERVICE.fill(Service.class, guestbook, Map.of());
    }

    Deployment followers() {
        return FOLLOWERS.fill(
                Deployment.class,
                guestbook,
                Map.of(
                        "image", orElse(spec.followerImage(), FOLLOWER_IMAGE),
                        "followers", spec.followerReplicas()));
    }

    Service followerService() {
        return FOLLOWER_SERVICE.fill(Service.class, guestbook, Map.of());
    }

    Deployment frontends() {
        Deployment deployment = FRONTENDS.fill(
                Deployment.class,
                guestbook,
                Map.of(
                        "image", orElse(spec.frontendImage(), FRONTEND_IMAGE),
                        "size", spec.frontendReplicas()));
        configure(deployment.getSpec().getTemplate().getSpec().getContainers().get(0));
        return deployment;
    }

    Service frontendService() {
        return FRONTEND_SERVICE.fill(Service.class, guestbook, Map.of());
    }

    private void configure(Container frontend) {
        if (spec.type() != null) {
            frontend.getEnv().add(new EnvVar("GUESTBOOK_TYPE", spec.type().name(), null));
        }
        if (spec.configMapName() != null) {
            frontend.setEnvFrom(List.of(new EnvFromSourceBuilder()
                    .withNewConfigMapRef(spec.configMapName(), true)
                    .build()));
        }
    }

    private static String orElse(@Nullable String said, String standard) {
        return Objects.requireNonNullElse(said, standard);
    }

    private static Template template(String file) {
        return Template.beside(GuestbookObjects.class, file);
    }
}
