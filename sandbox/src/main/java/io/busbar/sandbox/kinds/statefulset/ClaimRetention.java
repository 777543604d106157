package io.busbar.sandbox.kinds.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.OwnerReferences;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets claims go with the StatefulSet, or with the Pod that is scaled away, where its policy says so: by owner
 * references, which the garbage collector follows.
 *
 * <p>One context.
 */
record ClaimRetention(ControllerContext context, ObjectNode set) {

    /** Of a Pod that stays. */
    Future<Void> whileItLives(Identity identity) {
        return deletes("whenDeleted") ? own(identity, set, Kind.STATEFUL_SET) : Future.succeededFuture();
    }

    /** Of a Pod that is about to be deleted: whether for good, is known by its ordinal. */
    Future<Void> beforeScaledAway(Identity identity, ObjectNode pod) {
        JsonNode spec = set.path("spec");
        int first = spec.path("ordinals").path("start").asInt();
        boolean stays = identity.ordinal() >= first
                && identity.ordinal() < first + spec.path("replicas").asInt();
        return !stays && deletes("whenScaled") ? own(identity, pod, Kind.POD) : Future.succeededFuture();
    }

    private boolean deletes(String when) {
        return set.path("spec")
                .path("persistentVolumeClaimRetentionPolicy")
                .path(when)
                .asText()
                .equals("Delete");
    }

    private Future<Void> own(Identity identity, ObjectNode owner, Kind kind) {
        List<Future<?>> done = new ArrayList<>();
        for (ObjectNode claim : identity.claims()) {
            ObjectNode there = context.store()
                    .get(Kind.CLAIM.resource(), Metadata.of(claim).key());
            if (there != null && !OwnerReferences.has(there, Metadata.of(owner).uid())) {
                done.add(Writes.of(context).update(Kind.CLAIM, there, changed -> {
                    if (!OwnerReferences.has(changed, Metadata.of(owner).uid())) {
                        OwnerReferences.add(changed, owner, kind);
                    }
                }));
            }
        }
        return Future.all(done).mapEmpty();
    }
}
