package io.busbar.operator.sidecarset.roll;

import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.operator.sidecarset.pod.HashEntry;
import io.busbar.operator.sidecarset.pod.HotSlots;
import io.busbar.operator.sidecarset.pod.InjectedList;
import io.busbar.operator.sidecarset.pod.JsonPatch;
import io.busbar.operator.sidecarset.pod.MetadataPatches;
import io.busbar.operator.sidecarset.pod.PodAnnotations;
import io.busbar.operator.sidecarset.pod.SetEntries;
import io.busbar.operator.sidecarset.pod.SetVersion;
import io.busbar.operator.sidecarset.pod.UnreadableAnnotationException;
import io.busbar.operator.sidecarset.pod.UpdateState;
import io.busbar.operator.sidecarset.v1beta1.PodMetadataPatch;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The one write that brings a Pod to a set's version: images, and what the Pod is to remember of it.
 *
 * <p>Pure functions, any thread. The patch holds for the resourceVersion of the Pod it was made from; for any other the
 * API server answers with a conflict.
 */
final class UpgradePatch {

    private UpgradePatch() {}

    static JsonPatch of(Pod pod, Target target, Instant now) {
        JsonPatch patch = forThis(pod);
        SortedMap<String, String> lastImageIds = images(pod, target.images(), patch);
        hotImages(pod, target, patch, lastImageIds);
        metadata(pod, target, patch);
        SetVersion version = target.version();
        SetEntries state = InjectedPod.annotation(pod, PodAnnotations.UPDATE_STATE)
                .with(target.name(), new UpdateState(version.hash(), SetVersion.seconds(now), lastImageIds).json());
        annotate(patch, PodAnnotations.HASH, hashes(pod, PodAnnotations.HASH, version.entry(now)));
        annotate(
                patch,
                PodAnnotations.HASH_WITHOUT_IMAGE,
                hashes(pod, PodAnnotations.HASH_WITHOUT_IMAGE, version.entryWithoutImage(now)));
        annotate(patch, PodAnnotations.UPDATE_STATE, state);
        if (!pod.getMetadata().getAnnotations().containsKey(PodAnnotations.INJECTED_LIST)) {
            annotate(patch, PodAnnotations.INJECTED_LIST, InjectedList.of(pod));
        }
        return patch;
    }

    /** A patch that conflicts if the Pod is another by then. */
    static JsonPatch forThis(Pod pod) {
        return new JsonPatch()
                .replace(
                        "/metadata/resourceVersion",
                        TextNode.valueOf(pod.getMetadata().getResourceVersion()));
    }

    /**
     * An annotation that a document cannot be merged into stays as it is: it must not keep the image from being rolled
     * out.
     */
    private static void metadata(Pod pod, Target target, JsonPatch patch) {
        Map<String, String> present = pod.getMetadata().getAnnotations();
        for (PodMetadataPatch wanted : target.metadataPatches()) {
            Map<String, String> annotations = new TreeMap<>(present);
            try {
                MetadataPatches.apply(List.of(wanted), annotations);
            } catch (UnreadableAnnotationException unreadable) {
                continue;
            }
            annotations.forEach((name, value) -> {
                if (!value.equals(present.get(name))) {
                    annotate(patch, name, value);
                }
            });
        }
    }

    /** Returns what ran in the containers that get another image. */
    private static SortedMap<String, String> images(Pod pod, Map<String, String> images, JsonPatch patch) {
        SortedMap<String, String> lastImageIds = new TreeMap<>();
        List<Container> containers = pod.getSpec().getContainers();
        for (int i = 0; i < containers.size(); i++) {
            Container container = containers.get(i);
            String wanted = images.get(container.getName());
            if (wanted != null && !wanted.equals(container.getImage())) {
                patch.replace("/spec/containers/" + i + "/image", TextNode.valueOf(wanted));
                lastImageIds.put(container.getName(), imageId(pod, container.getName()));
            }
        }
        return lastImageIds;
    }

    /** Brings new images into idle slots, and makes these the ones that work. */
    private static void hotImages(Pod pod, Target target, JsonPatch patch, SortedMap<String, String> lastImageIds) {
        SetEntries working = InjectedPod.annotation(pod, PodAnnotations.WORKING_SLOTS);
        SetEntries before = working;
        for (HotSidecar sidecar : target.hot()) {
            String slot = sidecar.next(pod, target);
            String beside = sidecar.slots().beside(slot);
            if (!HotSidecar.image(pod, beside).equals(sidecar.image())) {
                lastImageIds.putAll(images(pod, Map.of(slot, sidecar.image()), patch));
                working = sidecar.slots().with(working, slot);
                annotate(patch, HotSlots.version(slot), target.setVersion());
                annotate(patch, HotSlots.otherVersion(slot), version(pod, beside));
                annotate(patch, HotSlots.otherVersion(beside), target.setVersion());
            } else if (!HotSidecar.image(pod, slot).equals(sidecar.emptyImage())) {
                // Back to what still runs in the slot beside, before the upgrade away from it came to its end.
                HotReset.empty(pod, slot, sidecar, patch);
                lastImageIds.put(slot, imageId(pod, slot));
                working = sidecar.slots().with(working, beside);
            }
        }
        if (!working.equals(before)) {
            annotate(patch, PodAnnotations.WORKING_SLOTS, working);
        }
    }

    private static String version(Pod pod, String slot) {
        return pod.getMetadata().getAnnotations().getOrDefault(HotSlots.version(slot), "");
    }

    static String imageId(Pod pod, String container) {
        return InjectedPod.statuses(pod).stream()
                .filter(status -> container.equals(status.getName()) && status.getImageID() != null)
                .map(ContainerStatus::getImageID)
                .findFirst()
                .orElse("");
    }

    private static SetEntries hashes(Pod pod, String annotation, HashEntry entry) {
        return HashEntry.migrated(InjectedPod.annotation(pod, annotation)).with(entry.sidecarSetName(), entry.json());
    }

    static void annotate(JsonPatch patch, String name, Object value) {
        patch.add(JsonPatch.pointer("metadata", "annotations", name), TextNode.valueOf(value.toString()));
    }
}
