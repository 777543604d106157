package io.busbar.sandbox.kinds.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.controller.Claims;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.EventRecorder;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.OwnerReferences;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes each Deployment one step further: all at once, little by little, or only to another size.
 *
 * <p>One context.
 */
public final class Deployments {

    private final ControllerContext context;
    private final Claims claims;
    private final Writes writes;
    private final Revisions revisions;
    private final EventRecorder events;

    private Deployments(ControllerContext context) {
        this.context = context;
        this.claims = new Claims(
                context, Kind.DEPLOYMENT, Kind.REPLICA_SET, context.owned().replicaSets());
        this.writes = Writes.of(context);
        this.events = new EventRecorder(context, context.name());
        this.revisions = new Revisions(context, events);
    }

    public static ControllerLoop start(ControllerContext context) {
        Deployments deployments = new Deployments(context);
        return new ControllerLoop(context, Kind.DEPLOYMENT, deployments::sync)
                .adopts(Kind.REPLICA_SET, Deployments::selector)
                .watches(Kind.POD, event -> deployments.podGone(event).stream().toList());
    }

    /** With the strategy Recreate, the last old Pod that goes lets the new ones come. */
    private Optional<ObjectKey> podGone(StoreEvent event) {
        if (event.type() != StoreEvent.Type.DELETED) {
            return Optional.empty();
        }
        String name = OwnerReferences.controller(event.object()).path("name").asText();
        ObjectNode set = name.isEmpty()
                ? null
                : context.store()
                        .get(
                                Kind.REPLICA_SET.resource(),
                                ObjectKey.of(event.key().namespace(), name));
        String owner =
                set == null ? "" : OwnerReferences.controller(set).path("name").asText();
        return owner.isEmpty()
                ? Optional.empty()
                : Optional.of(ObjectKey.of(event.key().namespace(), owner));
    }

    private static LabelSelector selector(ObjectNode deployment) {
        return LabelSelector.of(deployment.path("spec").path("selector"));
    }

    private Future<@Nullable Duration> sync(ObjectNode deployment) {
        return claims.settle(deployment, selector(deployment))
                .compose(sets -> Metadata.of(deployment).deleting()
                        ? writeStatus(deployment, false)
                        : notePause(deployment).compose(this::step))
                .map(written -> status(written).untilLate(written.path("status")));
    }

    private Future<ObjectNode> step(ObjectNode deployment) {
        if (deployment.path("spec").path("paused").asBoolean()) {
            return resize(deployment)
                    .compose(done -> revisions.forget(deployment, family(deployment)))
                    .compose(done -> writeStatus(deployment, false));
        }
        if (isScaled(deployment)) {
            return resize(deployment).compose(done -> writeStatus(deployment, false));
        }
        return (Strategy.of(deployment).rolling() ? roll(deployment) : recreate(deployment))
                .compose(done -> forgetWhenComplete(deployment))
                .compose(done -> writeStatus(deployment, true));
    }

    /** Whether replicas were changed since the sets got their sizes. */
    private boolean isScaled(ObjectNode deployment) {
        int replicas = Strategy.of(deployment).replicas();
        return family(deployment).active().stream()
                .mapToInt(set -> Annotations.number(set, Annotations.DESIRED))
                .anyMatch(desired -> desired >= 0 && desired != replicas);
    }

    private Future<Void> resize(ObjectNode deployment) {
        return revisions.settle(deployment, family(deployment), false).compose(done -> {
            Family family = family(deployment);
            return size(deployment, family, new Scaling(deployment, Strategy.of(deployment), family).sizes());
        });
    }

    /** A step of the new set comes first; the old ones wait until it has taken all that it may. */
    private Future<Void> roll(ObjectNode deployment) {
        return revisions.settle(deployment, family(deployment), true).compose(done -> {
            Family family = family(deployment);
            RollingUpdate step = new RollingUpdate(Strategy.of(deployment), family);
            int size = family.current().map(Family::replicas).orElse(0);
            return step.newSize(size) == size
                    ? size(deployment, family, step.oldSizes())
                    : grow(deployment, family, step.newSize(size));
        });
    }

    private Future<Void> recreate(ObjectNode deployment) {
        Family family = family(deployment);
        if (!family.activeOld().isEmpty()) {
            return revisions.settle(deployment, family, false).compose(done -> {
                Map<String, Integer> none = new HashMap<>();
                family.activeOld().forEach(set -> none.put(Metadata.of(set).name(), 0));
                return size(deployment, family, none);
            });
        }
        boolean oldPods = family.old().stream()
                .flatMap(set -> context.owned().pods().of(Metadata.of(set).uid()).stream())
                .anyMatch(pod -> !Pods.isEnded(pod));
        if (oldPods) {
            return revisions.settle(deployment, family, false);
        }
        return revisions
                .settle(deployment, family, true)
                .compose(done -> grow(
                        deployment, family(deployment), Strategy.of(deployment).replicas()));
    }

    private Future<Void> grow(ObjectNode deployment, Family family, int size) {
        return family.current()
                .map(set -> size(deployment, family, Map.of(Metadata.of(set).name(), size)))
                .orElse(Future.succeededFuture());
    }

    private Future<Void> size(ObjectNode deployment, Family family, Map<String, Integer> sizes) {
        List<Future<?>> sized = new ArrayList<>();
        for (ObjectNode set : family.all()) {
            Integer size = sizes.get(Metadata.of(set).name());
            if (size != null) {
                sized.add(writes.update(Kind.REPLICA_SET, set, changed -> {
                            changed.withObject("/spec").put("replicas", size);
                            Annotations.sized(changed, Strategy.of(deployment));
                        })
                        .onSuccess(written -> announce(deployment, set, size)));
            }
        }
        return Future.all(sized).mapEmpty();
    }

    private void announce(ObjectNode deployment, ObjectNode set, int size) {
        int before = Family.replicas(set);
        if (size != before) {
            events.normal(
                    Kind.DEPLOYMENT,
                    deployment,
                    "ScalingReplicaSet",
                    "Scaled " + (size > before ? "up" : "down") + " replica set "
                            + Metadata.of(set).name() + " from " + before + " to " + size);
        }
    }

    private Future<Void> forgetWhenComplete(ObjectNode deployment) {
        return status(deployment).isComplete(deployment.path("status"))
                ? revisions.forget(deployment, family(deployment))
                : Future.succeededFuture();
    }

    /** A pause stops the clock of the deadline. */
    private Future<ObjectNode> notePause(ObjectNode deployment) {
        boolean paused = deployment.path("spec").path("paused").asBoolean();
        DeploymentStatus status = status(deployment);
        String reason = Conditions.find(deployment.path("status"), DeploymentStatus.PROGRESSING)
                .path("reason")
                .asText();
        boolean noted = reason.equals("DeploymentPaused");
        if (paused == noted || reason.equals(DeploymentStatus.TIMED_OUT) || !status.hasDeadline()) {
            return Future.succeededFuture(deployment);
        }
        return writes.updateStatus(
                Kind.DEPLOYMENT,
                deployment,
                node -> status.put(
                        node,
                        DeploymentStatus.PROGRESSING,
                        "Unknown",
                        paused ? "DeploymentPaused" : "DeploymentResumed",
                        paused ? "Deployment is paused" : "Deployment is resumed"));
    }

    private Future<ObjectNode> writeStatus(ObjectNode deployment, boolean rolls) {
        return writes.updateStatus(Kind.DEPLOYMENT, deployment, node -> {
            if (rolls) {
                status(deployment).roll(node);
            } else {
                status(deployment).count(node);
            }
        });
    }

    private DeploymentStatus status(ObjectNode deployment) {
        return new DeploymentStatus(
                deployment, family(deployment), context.clock().instant());
    }

    private Family family(ObjectNode deployment) {
        return Family.of(
                deployment,
                context.owned().replicaSets().of(Metadata.of(deployment).uid()));
    }
}
