package io.busbar.operator.sidecarset.history;

import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.operator.sidecarset.pod.JsonPatch;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Optional;

/** Writes through the client, one request each. For the thread of one reconcile. */
record ClientRevisionWrites(KubernetesClient client) implements RevisionWrites {

    private static final PatchContext JSON = PatchContext.of(PatchType.JSON);

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
        JsonPatch patch = new JsonPatch().replace("/revision", LongNode.valueOf(number));
        return resource(revision).patch(JSON, patch.toString());
    }

    @Override
    public ControllerRevision label(ControllerRevision revision, String label, String value) {
        JsonPatch patch = new JsonPatch().add(JsonPatch.pointer("metadata", "labels", label), TextNode.valueOf(value));
        return resource(revision).patch(JSON, patch.toString());
    }

    @Override
    public void delete(ControllerRevision revision) {
        resource(revision).delete();
    }

    private Resource<ControllerRevision> resource(ControllerRevision revision) {
        return client.resource(revision);
    }
}
