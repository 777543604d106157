package io.busbar.operator.sidecarset.roll;

import io.busbar.operator.sidecarset.pod.HotSlots;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;

/**
 * A sidecar that is upgraded hot: the new image comes into the idle one of its two slots, and once it runs the other is
 * emptied.
 *
 * <p>Immutable. Source of the rules: OpenKruise.
 *
 * @param image that is to work
 * @param emptyImage of the slot that idles
 */
record HotSidecar(HotSlots slots, String image, String emptyImage) {

    static HotSidecar of(SidecarContainer container) {
        return new HotSidecar(
                new HotSlots(container.getName()),
                container.getImage(),
                container.getUpgradeStrategy() == null
                                || container.getUpgradeStrategy().hotUpgradeEmptyImage() == null
                        ? ""
                        : container.getUpgradeStrategy().hotUpgradeEmptyImage());
    }

    String working(Pod pod) {
        return slots.working(InjectedPod.annotation(pod, PodAnnotations.WORKING_SLOTS));
    }

    /** The slot beside the one that works: in an upgrade, the one that worked before. */
    String idle(Pod pod) {
        return slots.beside(working(pod));
    }

    /** Whether the idle slot has its empty image: no upgrade is under way. */
    boolean settled(Pod pod) {
        return image(pod, idle(pod)).equals(emptyImage);
    }

    /**
     * Where the next image goes: into an empty slot, else where nothing of worth runs, else where the older one does.
     */
    String next(Pod pod, Target target) {
        for (String slot : slots.both()) {
            if (image(pod, slot).equals(emptyImage)) {
                return slot;
            }
        }
        boolean first = InjectedPod.runsWell(pod, slots.first(), target);
        boolean second = InjectedPod.runsWell(pod, slots.second(), target);
        return first == second ? idle(pod) : first ? slots.second() : slots.first();
    }

    static String image(Pod pod, String container) {
        return pod.getSpec().getContainers().stream()
                .filter(candidate -> candidate.getName().equals(container))
                .map(Container::getImage)
                .findFirst()
                .orElse("");
    }
}
