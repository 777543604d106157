package io.busbar.operator.sidecarset.validation;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.matching.SelectorOverlap;
import io.busbar.operator.sidecarset.v1beta1.PodMetadataPatch;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What a SidecarSet may not bring because another, for the same Pods, brings it too.
 *
 * <p>Any thread. The other sets are looked up by what they bring, so that the work grows with the sets that share a
 * name, not with all.
 *
 * @param others the stored sets, watched with {@link #BY_PART}
 */
record SetConflicts(Lister<SidecarSet> others) {

    /** Files a set under each thing that it brings. */
    static final Index<SidecarSet> BY_PART = new Index<>("sidecarset-part", SetConflicts::parts);

    private static final ObjectMapper JSON = new ObjectMapper();

    private static Collection<String> parts(SidecarSet set) {
        SidecarSetSpec spec = set.getSpec();
        return spec == null
                ? List.of()
                : Stream.of(
                                spec.containers().stream().map(container -> containerPart(container)),
                                spec.initContainers().stream().map(container -> initPart(container)),
                                spec.volumes().stream().map(volume -> volumePart(volume)),
                                spec.patchPodMetadata().stream()
                                        .flatMap(patch -> patch.annotations().keySet().stream())
                                        .map(SetConflicts::annotationPart))
                        .flatMap(part -> part)
                        .distinct()
                        .toList();
    }

    private static String containerPart(Container container) {
        return "container/" + container.getName();
    }

    private static String initPart(Container container) {
        return "initContainer/" + container.getName();
    }

    private static String volumePart(Volume volume) {
        return "volume/" + volume.getName();
    }

    private static String annotationPart(String key) {
        return "annotation/" + key;
    }

    void check(Field spec, SidecarSet set) {
        SidecarSetSpec own = set.getSpec();
        spec.<SidecarContainer>each(
                "containers",
                own.containers(),
                (at, container) -> other(set, containerPart(container), (other, part) -> true)
                        .ifPresent(taken(at, container)));
        spec.<SidecarContainer>each(
                "initContainers",
                own.initContainers(),
                (at, container) ->
                        other(set, initPart(container), (other, part) -> true).ifPresent(taken(at, container)));
        spec.<Volume>each(
                "volumes",
                own.volumes(),
                (at, volume) -> other(set, volumePart(volume), (other, part) -> differs(volume, other))
                        .ifPresent(other -> at.child("name")
                                .invalid(
                                        volume.getName(),
                                        "volume " + volume.getName() + " is in conflict with sidecarset "
                                                + name(other))));
        spec.<PodMetadataPatch>each(
                "patchPodMetadata",
                own.patchPodMetadata(),
                (at, patch) -> patch.annotations()
                        .keySet()
                        .forEach(key -> other(set, annotationPart(key), (other, part) -> disagree(patch, key, other))
                                .ifPresent(other -> at.child("annotations")
                                        .key(key)
                                        .invalid(
                                                key,
                                                "annotation " + key + " is in conflict with sidecarset "
                                                        + name(other)))));
    }

    /** The first, by name, of the other sets for the same Pods that bring a part and are in conflict over it. */
    private Optional<SidecarSet> other(SidecarSet set, String part, BiPredicate<SidecarSetSpec, String> conflict) {
        return others.by(BY_PART, part).stream()
                .filter(other -> !name(other).equals(name(set)) && !CanaryRules.related(set, other))
                .filter(other -> SelectorOverlap.overlap(set.getSpec(), other.getSpec()))
                .filter(other -> conflict.test(other.getSpec(), part))
                .min(Comparator.comparing(SetConflicts::name));
    }

    private static Consumer<SidecarSet> taken(Field at, Container container) {
        return other -> at.child("name")
                .invalid(container.getName(), "container " + container.getName() + " already exist in " + name(other));
    }

    private static boolean differs(Volume volume, SidecarSetSpec other) {
        return other.volumes().stream()
                .filter(theirs -> volumePart(theirs).equals(volumePart(volume)))
                .anyMatch(theirs -> !JSON.valueToTree(theirs).equals(JSON.valueToTree(volume)));
    }

    /** Two patches of an annotation get along if either only adds, or both merge. */
    private static boolean disagree(PodMetadataPatch patch, String key, SidecarSetSpec other) {
        return other.patchPodMetadata().stream()
                .filter(theirs -> theirs.annotations().containsKey(key))
                .anyMatch(theirs -> !is(PodMetadataPatch.RETAIN, patch)
                        && !is(PodMetadataPatch.RETAIN, theirs)
                        && (is(PodMetadataPatch.OVERWRITE, patch) || is(PodMetadataPatch.OVERWRITE, theirs)));
    }

    private static boolean is(String policy, PodMetadataPatch patch) {
        return policy.equals(patch.patchPolicy());
    }

    private static String name(SidecarSet set) {
        return set.getMetadata().getName();
    }
}
