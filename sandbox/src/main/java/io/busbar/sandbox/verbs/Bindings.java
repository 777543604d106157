package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;

/**
 * Puts a Pod on a node.
 *
 * <p>One context.
 */
public final class Bindings {

    private static final ObjectKind BINDING = new ObjectKind("", "v1", "Binding");

    private final Cluster cluster;
    private final Updates updates;

    Bindings(Cluster cluster, Updates updates) {
        this.cluster = cluster;
        this.updates = updates;
    }

    /** @param binding whose annotations the Pod gets too; its uid, when it has one, must be the Pod's */
    public Future<ObjectNode> bind(Target target, WriteOptions options, String node, ObjectNode binding) {
        String uid = binding.path("metadata").path("uid").asText("");
        return updates.change(target, options, BINDING, before -> {
            new Preconditions(uid, "").check(target.resource(), before);
            String bound = before.path("spec").path("nodeName").asText("");
            if (Metadata.of(before).deleting()) {
                throw refused(target, "pod " + target.name() + " is being deleted, cannot be assigned to a host");
            }
            if (!bound.isEmpty()) {
                throw refused(target, "pod " + target.name() + " is already assigned to node \"" + bound + "\"");
            }
            ObjectNode after = before.deepCopy();
            after.withObject("/spec").put("nodeName", node);
            JsonNode annotations = binding.path("metadata").path("annotations");
            if (annotations instanceof ObjectNode more && !more.isEmpty()) {
                after.withObject("/metadata/annotations").setAll(more);
            }
            scheduled(after, Metadata.time(cluster.clock().instant()));
            return after;
        });
    }

    private static void scheduled(ObjectNode pod, String now) {
        var conditions = pod.withObject("/status").withArray("conditions");
        for (int i = conditions.size() - 1; i >= 0; i--) {
            if (conditions.path(i).path("type").asText().equals("PodScheduled")) {
                conditions.remove(i);
            }
        }
        conditions
                .addObject()
                .put("type", "PodScheduled")
                .put("status", "True")
                .putNull("lastProbeTime")
                .put("lastTransitionTime", now);
    }

    private static StatusException refused(Target target, String why) {
        return StatusException.conflict(target.resource().named(), target.name(), why);
    }
}
