package io.busbar.sandbox.controller;

import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import java.util.List;

/**
 * What controllers find by its controller, one index of each kind for all of them.
 *
 * <p>One context.
 */
public record OwnedIndexes(
        OwnedIndex pods, OwnedIndex replicaSets, OwnedIndex revisions, OwnedIndex jobs, OwnedIndex slices) {

    /** Of what is there already. */
    public static OwnedIndexes of(ObjectStore store) {
        OwnedIndexes indexes = empty();
        for (Kind kind : List.of(Kind.POD, Kind.REPLICA_SET, Kind.REVISION, Kind.JOB, Kind.ENDPOINT_SLICE)) {
            store.list(kind.resource())
                    .forEach(object -> indexes.changed(new StoreEvent(
                            StoreEvent.Type.ADDED,
                            0,
                            kind.resource(),
                            Metadata.of(object).key(),
                            object,
                            null)));
        }
        return indexes;
    }

    private static OwnedIndexes empty() {
        return new OwnedIndexes(
                new OwnedIndex(Kind.POD),
                new OwnedIndex(Kind.REPLICA_SET),
                new OwnedIndex(Kind.REVISION),
                new OwnedIndex(Kind.JOB),
                new OwnedIndex(Kind.ENDPOINT_SLICE));
    }

    /** Takes a change, within the write. */
    public void changed(StoreEvent event) {
        List.of(pods, replicaSets, revisions, jobs, slices).forEach(index -> index.changed(event));
    }
}
