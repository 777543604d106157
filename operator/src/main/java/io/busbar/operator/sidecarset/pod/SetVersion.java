package io.busbar.operator.sidecarset.pod;

import io.busbar.operator.sidecarset.hash.SidecarSetHash;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What Pods are told of a set: which one it is, and in which version.
 *
 * <p>Immutable.
 *
 * @param hash of the containers
 * @param hashWithoutImage of the containers but for their images
 * @param sidecars names of the containers and of the native sidecars among the init containers, sorted
 * @param latestRevision name of the newest revision; empty for none
 */
public record SetVersion(
        String name, String hash, String hashWithoutImage, List<String> sidecars, String latestRevision) {

    public SetVersion {
        sidecars = List.copyOf(sidecars);
    }

    /** The version that a set has now, by the revision that its status names. */
    public static SetVersion of(SidecarSet set) {
        SidecarSetStatus status = set.getStatus();
        String latest = status == null || status.latestRevision() == null ? "" : status.latestRevision();
        return of(set, latest);
    }

    public static SetVersion of(SidecarSet set, String latestRevision) {
        SidecarSetHash hash = hash(set);
        return new SetVersion(
                set.getMetadata().getName(),
                hash.whole(),
                hash.withoutImage(),
                sidecars(set.getSpec()),
                latestRevision);
    }

    /** As the defaulting webhook wrote it; worked out where it did not. */
    private static SidecarSetHash hash(SidecarSet set) {
        Map<String, String> annotations = set.getMetadata().getAnnotations();
        String whole = annotations == null ? null : annotations.get(SidecarSet.HASH);
        String withoutImage = annotations == null ? null : annotations.get(SidecarSet.HASH_WITHOUT_IMAGE);
        return whole == null || withoutImage == null
                ? SidecarSetHash.of(set.getSpec())
                : new SidecarSetHash(whole, withoutImage);
    }

    /** For {@link PodAnnotations#HASH}. */
    public HashEntry entry(Instant now) {
        return new HashEntry(seconds(now), hash, name, sidecars, latestRevision);
    }

    /** For {@link PodAnnotations#HASH_WITHOUT_IMAGE}. */
    public HashEntry entryWithoutImage(Instant now) {
        return new HashEntry(seconds(now), hashWithoutImage, name, sidecars, "");
    }

    /** RFC 3339 in whole seconds, as the API writes times. */
    public static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static List<String> sidecars(SidecarSetSpec spec) {
        return Stream.concat(
                        spec.containers().stream(),
                        spec.initContainers().stream().filter(SidecarContainer::runsAsNativeSidecar))
                .map(SidecarContainer::getName)
                .sorted()
                .toList();
    }
}
