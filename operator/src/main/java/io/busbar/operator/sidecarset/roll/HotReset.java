package io.busbar.operator.sidecarset.roll;

import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.operator.sidecarset.pod.HotSlots;
import io.busbar.operator.sidecarset.pod.JsonPatch;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.pod.SetEntries;
import io.busbar.operator.sidecarset.pod.SetVersion;
import io.busbar.operator.sidecarset.pod.UpdateState;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The end of a hot upgrade: once the new image runs, the slot that worked before gets the empty one.
 *
 * <p>Pure functions, any thread. The Pod's hash stays as it is: this is no new version.
 */
final class HotReset {

    private HotReset() {}

    /** The patch that empties what is due for it; empty if nothing is. */
    static Optional<JsonPatch> patch(Pod pod, Target target, Instant now) {
        if (!due(pod, target)) {
            return Optional.empty();
        }
        JsonPatch patch = UpgradePatch.forThis(pod);
        SetEntries states = InjectedPod.annotation(pod, PodAnnotations.UPDATE_STATE);
        Map<String, String> lastImageIds = new TreeMap<>(UpdateState.lastImageIds(states, target.name()));
        for (HotSidecar sidecar : target.hot()) {
            if (!sidecar.settled(pod)) {
                String slot = sidecar.idle(pod);
                empty(pod, slot, sidecar, patch);
                lastImageIds.put(slot, UpgradePatch.imageId(pod, slot));
            }
        }
        String revision = UpdateState.revision(states, target.name());
        UpdateState state = new UpdateState(
                revision.isEmpty() ? target.version().hash() : revision,
                SetVersion.seconds(now),
                new TreeMap<>(lastImageIds));
        UpgradePatch.annotate(patch, PodAnnotations.UPDATE_STATE, states.with(target.name(), state.json()));
        return Optional.of(patch);
    }

    /** Writes the empty image into a slot, and that no version runs there. */
    static void empty(Pod pod, String slot, HotSidecar sidecar, JsonPatch patch) {
        List<Container> containers = pod.getSpec().getContainers();
        for (int i = 0; i < containers.size(); i++) {
            if (containers.get(i).getName().equals(slot)) {
                patch.replace("/spec/containers/" + i + "/image", TextNode.valueOf(sidecar.emptyImage()));
            }
        }
        UpgradePatch.annotate(patch, HotSlots.version(slot), "0");
        UpgradePatch.annotate(patch, HotSlots.otherVersion(sidecar.slots().beside(slot)), "0");
    }

    /** Whether an upgrade is under way, and all that is to go on running does run. */
    private static boolean due(Pod pod, Target target) {
        Set<String> idle = new HashSet<>();
        target.hot().stream().filter(sidecar -> !sidecar.settled(pod)).forEach(sidecar -> idle.add(sidecar.idle(pod)));
        if (idle.isEmpty()) {
            return false;
        }
        Set<String> lasting = new HashSet<>(target.containers());
        target.hot().forEach(sidecar -> lasting.remove(sidecar.idle(pod)));
        return InjectedPod.consistent(pod, target, lasting)
                && (InjectedPod.runsAndIsReady(pod)
                        || InjectedPod.statuses(pod).stream()
                                .filter(status -> !idle.contains(status.getName()))
                                .allMatch(status -> Boolean.TRUE.equals(status.getReady())));
    }
}
