package io.busbar.operator.sidecarset.history;

import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.v1beta1.InjectionRevision;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the revision that an injection strategy asks for. Any thread; never blocks. */
@FunctionalInterface
public interface RevisionLookup {

    Optional<ControllerRevision> find(SidecarSet set, InjectionRevision wanted);

    /**
     * Looks among the revisions of a watch.
     *
     * @param revisions watched with {@link RevisionHistory#BY_SET}
     */
    static RevisionLookup in(Lister<ControllerRevision> revisions) {
        return (set, wanted) ->
                among(revisions.by(RevisionHistory.BY_SET, set.getMetadata().getName()), wanted);
    }

    /** By name if one is given, else the newest of the author's own version. */
    static Optional<ControllerRevision> among(List<ControllerRevision> revisions, InjectionRevision wanted) {
        return revisions.stream()
                .filter(revision -> is(revision, wanted))
                .max(Comparator.comparing(ControllerRevision::getRevision));
    }

    private static boolean is(ControllerRevision revision, InjectionRevision wanted) {
        if (wanted.revisionName() != null) {
            return wanted.revisionName().equals(revision.getMetadata().getName());
        }
        Map<String, String> labels = revision.getMetadata().getLabels();
        return wanted.customVersion() != null
                && labels != null
                && wanted.customVersion().equals(labels.get(SidecarSet.CUSTOM_VERSION));
    }
}
