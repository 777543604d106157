package io.busbar.operator.sidecarset.validation;

import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.v1alpha1.InjectionRevision;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the revision that an injection strategy asks for. Any thread; never blocks. */
@FunctionalInterface
public interface RevisionLookup {

    boolean exists(SidecarSet set, InjectionRevision wanted);

    /**
     * Looks among the revisions of a watch.
     *
     * @param bySet files them under the name of their set
     */
    static RevisionLookup in(Lister<ControllerRevision> revisions, Index<ControllerRevision> bySet) {
        return (set, wanted) ->
                revisions.by(bySet, set.getMetadata().getName()).stream().anyMatch(revision -> is(revision, wanted));
    }

    /** By name if one is given, else by the custom version. */
    private static boolean is(ControllerRevision revision, InjectionRevision wanted) {
        if (wanted.revisionName() != null) {
            return wanted.revisionName().equals(revision.getMetadata().getName());
        }
        @Nullable Map<String, String> labels = revision.getMetadata().getLabels();
        return wanted.customVersion() != null
                && labels != null
                && wanted.customVersion().equals(labels.get(SidecarSet.CUSTOM_VERSION));
    }
}
