package io.busbar.operator.sidecarset.history;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.reconciler.ReconcileContext;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Optional;

/**
 * Writes to the API server, one request each, all of which may be repeated when an answer is lost. For the thread of
 * one reconcile.
 */
record ClientRevisionWrites(ReconcileContext<?> context) implements RevisionWrites {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    @Override
    public Optional<ControllerRevision> read(ControllerRevision revision) {
        return Optional.ofNullable(resource(revision).get());
    }

    @Override
    public ControllerRevision create(ControllerRevision revision) {
        return resource(revision).create();
    }

    @Override
    public ControllerRevision renumber(ControllerRevision revision, long number) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode().put("revision", number);
        return resource(revision).patch(MERGE, patch.toString());
    }

    @Override
    public ControllerRevision label(ControllerRevision revision, String label, String value) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.withObjectProperty("metadata").withObjectProperty("labels").put(label, value);
        return resource(revision).patch(MERGE, patch.toString());
    }

    @Override
    public void delete(ControllerRevision revision) {
        context.delete(revision);
    }

    private Resource<ControllerRevision> resource(ControllerRevision revision) {
        return context.client().resource(revision);
    }
}
