package io.busbar.operator.sidecarset.history;

import io.busbar.common.ObjectKey;
import io.busbar.operator.sidecarset.StoredObjects;
import io.busbar.operator.sidecarset.Yaml;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Revisions in memory, where the lister sees each write at once. It does not imitate: resourceVersions, admission, garbage
 * collection.
 */
public final class StoredRevisions implements RevisionWrites {

    private final StoredObjects<ControllerRevision> stored;
    private int writes;

    public StoredRevisions(StoredObjects<ControllerRevision> stored) {
        this.stored = stored;
    }

    public RevisionHistory history() {
        return new RevisionHistory("busbar-system", context -> this);
    }

    public int writes() {
        return writes;
    }

    @Override
    public Optional<ControllerRevision> read(ControllerRevision revision) {
        return stored.get(ObjectKey.of(revision));
    }

    @Override
    public ControllerRevision create(ControllerRevision revision) {
        writes++;
        if (read(revision).isPresent()) {
            throw new KubernetesClientException("already exists", 409, null);
        }
        ControllerRevision created = Yaml.copy(revision);
        stored.put(created);
        return created;
    }

    @Override
    public ControllerRevision renumber(ControllerRevision revision, long number) {
        writes++;
        ControllerRevision changed = Yaml.copy(revision);
        changed.setRevision(number);
        stored.put(changed);
        return changed;
    }

    @Override
    public ControllerRevision label(ControllerRevision revision, String label, String value) {
        writes++;
        ControllerRevision changed = Yaml.copy(revision);
        Map<String, String> labels = new HashMap<>(changed.getMetadata().getLabels());
        labels.put(label, value);
        changed.getMetadata().setLabels(labels);
        stored.put(changed);
        return changed;
    }

    @Override
    public void delete(ControllerRevision revision) {
        writes++;
        stored.remove(ObjectKey.of(revision));
    }
}
