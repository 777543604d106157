package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.history.RevisionHistory;
import io.busbar.operator.sidecarset.history.RevisionLookup;
import io.busbar.operator.sidecarset.matching.CompiledSelector;
import io.busbar.operator.sidecarset.pod.HashEntry;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.pod.SetEntries;
import io.busbar.operator.sidecarset.pod.SetVersion;
import io.busbar.operator.sidecarset.v1beta1.InjectionRevision;
import io.busbar.operator.sidecarset.v1beta1.InjectionStrategy;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.UpdateStrategy;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which version of a set a new Pod gets: the present one, unless the injection strategy asks for an older one.
 *
 * <p>Any thread. An older one is compiled when a Pod first gets it. Source of the rules: OpenKruise; where chance
 * decides there, it is the request's UID here, and a Pod that has a version already keeps it.
 */
final class VersionChoice {

    private static final int ALL = 100;

    private final SidecarSet set;
    private final CompiledVersion present;
    private final @Nullable InjectionRevision pinned;
    private final @Nullable CompiledSelector rolledOutTo;
    private final int percentPinned;
    private final RevisionLookup revisions;
    private volatile @Nullable Old old;

    /** An older version, and the revision that it was made from. */
    private record Old(ControllerRevision revision, CompiledVersion version) {}

    private VersionChoice(
            SidecarSet set,
            @Nullable InjectionRevision pinned,
            @Nullable CompiledSelector rolledOutTo,
            int percentPinned,
            RevisionLookup revisions) {
        this.set = set;
        this.present = CompiledVersion.compile(set, SetVersion.of(set));
        this.pinned = pinned;
        this.rolledOutTo = rolledOutTo;
        this.percentPinned = percentPinned;
        this.revisions = revisions;
    }

    /**
     * @throws IllegalArgumentException when the set is not valid
     */
    static VersionChoice of(SidecarSet set, RevisionLookup revisions) {
        InjectionStrategy injection = set.getSpec().injectionStrategy();
        InjectionRevision pinned = injection == null ? null : injection.revision();
        UpdateStrategy update = set.getSpec().updateStrategy();
        boolean partial = pinned != null
                && InjectionRevision.PARTIAL.equals(pinned.policy())
                && (update == null || !Boolean.TRUE.equals(update.paused()));
        if (!partial || update == null) {
            return new VersionChoice(set, pinned, null, partial ? 0 : ALL, revisions);
        }
        return new VersionChoice(
                set,
                pinned,
                update.selector() == null ? null : CompiledSelector.of(update.selector()),
                percent(update.partition()),
                revisions);
    }

    /** The present version, whatever Pods get. */
    CompiledVersion present() {
        return present;
    }

    /** A version that a Pod gets, for people. */
    String describe(CompiledVersion version) {
        String which = version.equals(present)
                ? "the present version"
                : "revision " + version.version().latestRevision();
        return percentPinned == 0 || percentPinned == ALL
                ? which
                : which + "; a new Pod gets the older version with a chance of " + percentPinned + "%";
    }

    /**
     * @param uid of the request that creates the Pod
     * @throws RefusedInjectionException when the revision that the Pod should get is not there
     */
    CompiledVersion of(ObjectNode metadata, Map<String, String> labels, String uid) throws RefusedInjectionException {
        if (pinned == null) {
            return present;
        }
        if (percentPinned == ALL || (rolledOutTo != null && !rolledOutTo.matches(labels))) {
            return older(pinned);
        }
        if (percentPinned == 0) {
            return present;
        }
        CompiledVersion older = older(pinned);
        Optional<String> had = HashEntry.hash(
                SetEntries.parseOrNone(
                        metadata.path("annotations").path(PodAnnotations.HASH).asText()),
                present.name());
        if (had.isPresent() && had.get().equals(older.version().hash())) {
            return older;
        }
        boolean hasPresent =
                had.isPresent() && had.get().equals(present.version().hash());
        return !hasPresent && Math.floorMod(uid.hashCode(), ALL) < percentPinned ? older : present;
    }

    private CompiledVersion older(InjectionRevision wanted) throws RefusedInjectionException {
        ControllerRevision revision = revisions
                .find(set, wanted)
                .orElseThrow(() -> new RefusedInjectionException(
                        set.getMetadata().getName(),
                        "no ControllerRevision "
                                + (wanted.revisionName() == null
                                        ? "of custom version " + wanted.customVersion()
                                        : wanted.revisionName())));
        Old known = old;
        if (known == null || !known.revision().getMetadata().equals(revision.getMetadata())) {
            SidecarSet then = RevisionHistory.restored(set, revision);
            SetVersion version = SetVersion.of(then, revision.getMetadata().getName());
            known = new Old(revision, CompiledVersion.compile(then, version));
            old = known;
        }
        return known.version();
    }

    /** Only a percentage is a chance; a number holds no new Pod back. */
    private static int percent(@Nullable IntOrString partition) {
        String text = partition == null ? null : partition.getStrVal();
        return text == null || !text.endsWith("%")
                ? 0
                : Math.min(ALL, Integer.parseInt(text.substring(0, text.length() - 1)));
    }
}
