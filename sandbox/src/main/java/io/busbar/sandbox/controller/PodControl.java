package io.busbar.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Makes and deletes the Pods of what a controller looks after, and records it in their owner's Events.
 *
 * <p>One context. The words are those of {@code controller_utils.go} of kube-controller-manager.
 */
public record PodControl(ControllerContext context, Kind kind, EventRecorder events) {

    public Future<ObjectNode> create(ObjectNode owner, ObjectNode pod) {
        return context.store()
                .create(Kind.POD.resource(), pod)
                .onSuccess(made -> events.normal(
                        kind,
                        owner,
                        "SuccessfulCreate",
                        "Created pod: " + Metadata.of(made).name()))
                .onFailure(e -> {
                    if (!endsWithNamespace(e)) {
                        events.warning(kind, owner, "FailedCreate", "Error creating: " + e.getMessage());
                    }
                });
    }

    public Future<Void> deleteAll(ObjectNode owner, Collection<ObjectNode> pods) {
        List<Future<?>> done = new ArrayList<>();
        pods.forEach(pod -> done.add(delete(owner, pod)));
        return Future.all(done).mapEmpty();
    }

    private Future<Void> delete(ObjectNode owner, ObjectNode pod) {
        return Writes.of(context)
                .delete(Kind.POD, pod, "")
                .onSuccess(done -> events.normal(
                        kind,
                        owner,
                        "SuccessfulDelete",
                        "Deleted pod: " + Metadata.of(pod).name()))
                .onFailure(e -> events.warning(kind, owner, "FailedDelete", "Error deleting: " + e.getMessage()));
    }

    private static boolean endsWithNamespace(Throwable failure) {
        return failure instanceof StatusException refused
                && refused.body().toString().contains("NamespaceTerminating");
    }
}
