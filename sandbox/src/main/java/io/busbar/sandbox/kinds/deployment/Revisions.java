package io.busbar.sandbox.kinds.deployment;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.EventRecorder;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.OwnerReferences;
import io.busbar.sandbox.controller.Templates;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds or makes the ReplicaSet of a Deployment's template, numbers it, and forgets those that are long past.
 *
 * <p>One context.
 */
final class Revisions {

    private static final String CREATE_ERROR = "ReplicaSetCreateError";

    private final ControllerContext context;
    private final Writes writes;
    private final EventRecorder events;

    Revisions(ControllerContext context, EventRecorder events) {
        this.context = context;
        this.writes = Writes.of(context);
        this.events = events;
    }

    /** @param create whether to make the set when it is not there */
    Future<Void> settle(ObjectNode deployment, Family family, boolean create) {
        int revision = Annotations.lastRevision(family.old()) + 1;
        if (family.current().isPresent()) {
            return adopt(deployment, family, family.current().get(), revision);
        }
        return create ? create(deployment, family, revision) : Future.succeededFuture();
    }

    /** A set that was made before, maybe for an earlier revision with the same template. */
    private Future<Void> adopt(ObjectNode deployment, Family family, ObjectNode set, int revision) {
        return writes.update(Kind.REPLICA_SET, set, changed -> {
                    Annotations.copy(deployment, changed, revision);
                    int seconds =
                            deployment.path("spec").path("minReadySeconds").asInt();
                    if (changed.path("spec").path("minReadySeconds").asInt() != seconds) {
                        changed.withObject("/spec").put("minReadySeconds", seconds);
                    }
                })
                .compose(numbered -> writes.updateWithStatus(Kind.DEPLOYMENT, deployment, changed -> {
                    Annotations.put(changed, Annotations.REVISION, Annotations.text(numbered, Annotations.REVISION));
                    DeploymentStatus status = status(deployment, family);
                    ObjectNode node = changed.withObject("/status");
                    if (status.hasDeadline()
                            && !Conditions.find(node, DeploymentStatus.PROGRESSING)
                                    .isObject()) {
                        String message =
                                "Found new replica set \"" + Metadata.of(set).name() + "\"";
                        status.put(node, DeploymentStatus.PROGRESSING, "True", "FoundNewReplicaSet", message);
                    }
                }))
                .mapEmpty();
    }

    private Future<Void> create(ObjectNode deployment, Family family, int revision) {
        ObjectNode set = replicaSet(deployment, family, revision);
        return context.store()
                .create(Kind.REPLICA_SET.resource(), set)
                .compose(made -> announce(deployment, family, made))
                .recover(failure -> refused(deployment, family, set, failure));
    }

    private Future<Void> announce(ObjectNode deployment, Family family, ObjectNode made) {
        int replicas = Family.replicas(made);
        if (replicas > 0) {
            events.normal(
                    Kind.DEPLOYMENT,
                    deployment,
                    "ScalingReplicaSet",
                    "Scaled up replica set " + Metadata.of(made).name() + " from 0 to " + replicas);
        }
        return writes.updateWithStatus(Kind.DEPLOYMENT, deployment, changed -> {
                    Annotations.put(changed, Annotations.REVISION, Annotations.text(made, Annotations.REVISION));
                    DeploymentStatus status = status(deployment, family);
                    if (status.hasDeadline()) {
                        status.put(
                                changed.withObject("/status"),
                                DeploymentStatus.PROGRESSING,
                                "True",
                                "NewReplicaSetCreated",
                                "Created new replica set \"" + Metadata.of(made).name() + "\"");
                    }
                })
                .mapEmpty();
    }

    /** Where the name is taken another one is tried, with the count of collisions in its hash. */
    private Future<Void> refused(ObjectNode deployment, Family family, ObjectNode set, Throwable failure) {
        boolean taken = failure instanceof StatusException refused
                && refused.reason().equals("AlreadyExists")
                && context.store()
                                .get(
                                        Kind.REPLICA_SET.resource(),
                                        Metadata.of(set).key())
                        != null;
        if (!taken) {
            events.warning(
                    Kind.DEPLOYMENT,
                    deployment,
                    CREATE_ERROR,
                    "Failed to create new replica set \"" + Metadata.of(set).name() + "\": " + failure.getMessage());
        }
        return writes.updateStatus(Kind.DEPLOYMENT, deployment, status -> {
                    if (taken) {
                        status.put(
                                "collisionCount", status.path("collisionCount").asInt() + 1);
                    } else {
                        String why = String.valueOf(failure.getMessage());
                        status(deployment, family)
                                .put(status, DeploymentStatus.PROGRESSING, "False", CREATE_ERROR, why);
                    }
                })
                .compose(written -> Future.failedFuture(failure));
    }

    private ObjectNode replicaSet(ObjectNode deployment, Family family, int revision) {
        ObjectNode template = deployment.path("spec").path("template").deepCopy();
        int collisions = deployment.path("status").path("collisionCount").asInt();
        String hash = Templates.hash(template, collisions);
        template.withObject("/metadata/labels").put(Family.HASH, hash);
        ObjectNode set = JsonNodeFactory.instance.objectNode();
        set.put("kind", "ReplicaSet").put("apiVersion", "apps/v1");
        ObjectNode metadata = set.putObject("metadata");
        metadata.put("name", Metadata.of(deployment).name() + "-" + hash);
        metadata.put("namespace", Metadata.of(deployment).namespace());
        metadata.set("labels", template.at("/metadata/labels").deepCopy());
        OwnerReferences.control(set, deployment, Kind.DEPLOYMENT);
        ObjectNode spec = set.putObject("spec");
        Strategy strategy = Strategy.of(deployment);
        spec.put("replicas", new RollingUpdate(strategy, family).newSize(0));
        int minReady = deployment.path("spec").path("minReadySeconds").asInt();
        if (minReady > 0) {
            spec.put("minReadySeconds", minReady);
        }
        ObjectNode selector = deployment.path("spec").path("selector").deepCopy();
        selector.withObject("/matchLabels").put(Family.HASH, hash);
        spec.set("selector", selector);
        spec.set("template", template);
        Annotations.copy(deployment, set, revision);
        Annotations.sized(set, strategy);
        return set;
    }

    /** Deletes the oldest sets that have no Pods, beyond the number to keep. */
    Future<Void> forget(ObjectNode deployment, Family family) {
        int keep = deployment.path("spec").path("revisionHistoryLimit").asInt(10);
        List<ObjectNode> old = family.old().stream()
                .filter(set -> !Metadata.of(set).deleting())
                .toList();
        List<Future<?>> gone = new ArrayList<>();
        for (ObjectNode set : old.subList(0, Math.max(0, old.size() - keep))) {
            boolean empty = Family.replicas(set) == 0
                    && set.path("status").path("replicas").asInt() == 0
                    && set.path("status").path("observedGeneration").asLong()
                            >= Metadata.of(set).generation();
            if (empty) {
                gone.add(writes.delete(Kind.REPLICA_SET, set, ""));
            }
        }
        return Future.all(gone).mapEmpty();
    }

    private DeploymentStatus status(ObjectNode deployment, Family family) {
        return new DeploymentStatus(deployment, family, context.clock().instant());
    }
}
