package io.busbar.operator.sidecarset.inject;

import io.busbar.operator.sidecarset.history.RevisionLookup;
import io.busbar.operator.sidecarset.matching.SidecarSetMatching;
import io.busbar.operator.sidecarset.v1beta1.InjectionStrategy;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A set made ready for new Pods.
 *
 * <p>Any thread.
 *
 * @param matching which Pods it is for
 * @param requiredLabel what it is filed under; empty where it requires nothing that can be looked up
 * @param base name of the set that it stands in for, where it is a canary
 * @param versions what it injects; null for nothing
 * @param obstacle why it injects nothing, for people; empty where it injects
 */
record CompiledSidecarSet(
        String name,
        SidecarSetMatching matching,
        Optional<RequiredLabel> requiredLabel,
        Optional<String> base,
        @Nullable VersionChoice versions,
        String obstacle) {

    /**
     * Empty for a set that can match no Pod: it has no selector.
     *
     * @throws IllegalArgumentException when a selector is not one that the API knows
     */
    static Optional<CompiledSidecarSet> compile(SidecarSet set, RevisionLookup revisions) {
        SidecarSetSpec spec = set.getSpec();
        if (spec == null || spec.selector() == null) {
            return Optional.empty();
        }
        VersionChoice versions = null;
        String obstacle = "";
        if (paused(spec)) {
            obstacle = "its injection is paused";
        } else {
            try {
                versions = VersionChoice.of(set, revisions);
            } catch (IllegalArgumentException invalid) {
                obstacle = "it is not valid: " + invalid.getMessage();
            }
        }
        return Optional.of(new CompiledSidecarSet(
                set.getMetadata().getName(),
                SidecarSetMatching.of(spec),
                RequiredLabel.of(spec.selector(), spec.namespaceSelector()),
                set.canaryOf(),
                versions,
                obstacle));
    }

    private static boolean paused(SidecarSetSpec spec) {
        InjectionStrategy strategy = spec.injectionStrategy();
        return strategy != null && Boolean.TRUE.equals(strategy.paused());
    }
}
