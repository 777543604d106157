package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings sets into one Pod.
 *
 * <p>For one thread. Guarantees: what is patched comes out the same however often it is done; the order of several sets
 * is that of their names; nothing else of the Pod is touched.
 *
 * <p>Source of the rules: OpenKruise's Pod webhook.
 */
final class PodMerge {

    private final ObjectNode pod;
    private final List<CompiledVersion> sets;
    private final JsonPatch patch = new JsonPatch();
    private @Nullable AppContainers app;

    private PodMerge(ObjectNode pod, List<CompiledVersion> sets) {
        this.pod = pod;
        this.sets = sets;
    }

    /**
     * @param pod as it is to be created; not changed
     * @param sets that it gets, by name
     * @return the patch; empty if the Pod has all of it already
     * @throws UnreadableAnnotationException when the Pod brings an annotation that cannot be read
     * @throws RefusedInjectionException when a sidecar cannot be made for this Pod
     */
    static ArrayNode patch(ObjectNode pod, List<CompiledVersion> sets, Instant now)
            throws UnreadableAnnotationException, RefusedInjectionException {
        PodMerge merge = new PodMerge(pod, sets);
        merge.initContainers();
        merge.containers();
        merge.volumes();
        merge.pullSecrets();
        merge.annotations(now);
        return merge.patch.operations();
    }

    /** Sorted by name over all sets: the order among a set's own init containers is no promise of OpenKruise's. */
    private void initContainers() throws RefusedInjectionException {
        put(
                list("initContainers"),
                each(CompiledVersion::initContainers)
                        .sorted(Comparator.comparing(Sidecar::name))
                        .toList());
    }

    private void containers() throws RefusedInjectionException {
        put(list("containers"), each(CompiledVersion::containers).toList());
    }

    private void put(NamedList list, List<Sidecar> sidecars) throws RefusedInjectionException {
        for (Sidecar sidecar : sidecars) {
            try {
                list.put(sidecar.in(this::appContainers), sidecar.inFront());
            } catch (IllegalArgumentException noResources) {
                throw new RefusedInjectionException(
                        sidecar.set(), "resources of container " + sidecar.name() + ": " + noResources.getMessage());
            }
        }
        list.writeTo(patch);
    }

    /** Only those that are used; the Pod's own wins over one of the same name. */
    private void volumes() {
        NamedList list = list("volumes");
        each(set -> Stream.concat(set.initContainers().stream(), set.containers().stream())
                        .toList())
                .flatMap(sidecar -> sidecar.volumes().stream())
                .forEach(list::addMissing);
        list.writeTo(patch);
    }

    private void pullSecrets() {
        NamedList list = list("imagePullSecrets");
        each(CompiledVersion::pullSecrets).forEach(list::addMissing);
        list.writeTo(patch);
    }

    private void annotations(Instant now) throws UnreadableAnnotationException {
        Map<String, String> present = new LinkedHashMap<>();
        pod.path("metadata")
                .path("annotations")
                .properties()
                .forEach(entry -> present.put(entry.getKey(), entry.getValue().asText()));
        Map<String, String> wanted = new LinkedHashMap<>(present);
        for (CompiledVersion set : sets) {
            try {
                MetadataPatches.apply(set.metadataPatches(), wanted);
            } catch (UnreadableAnnotationException unreadable) {
                throw unreadable.neededBy(set.name());
            }
        }
        addEntries(wanted, PodAnnotations.HASH, version -> version.entry(now));
        addEntries(wanted, PodAnnotations.HASH_WITHOUT_IMAGE, version -> version.entryWithoutImage(now));
        wanted.put(
                PodAnnotations.INJECTED_LIST,
                InjectedList.parse(wanted.get(PodAnnotations.INJECTED_LIST))
                        .with(sets.stream().map(CompiledVersion::name).toList())
                        .toString());
        addSlots(wanted);
        write(present, wanted);
    }

    private void addEntries(Map<String, String> annotations, String name, Function<SetVersion, HashEntry> entry)
            throws UnreadableAnnotationException {
        String text = annotations.getOrDefault(name, "");
        SetEntries entries;
        try {
            entries = HashEntry.migrated(SetEntries.parse(text));
        } catch (IllegalArgumentException unreadable) {
            throw new UnreadableAnnotationException(
                    name, text, "must be a JSON object with an entry for each SidecarSet", unreadable);
        }
        for (CompiledVersion set : sets) {
            HashEntry wanted = entry.apply(set.version()).keepingTimeOf(entries);
            entries = entries.with(set.name(), wanted.json());
        }
        annotations.put(name, entries.toString());
    }

    /** The first slot works, whatever a Pod that was copied from another says. */
    private void addSlots(Map<String, String> annotations) {
        List<HotSlots> hot = each(CompiledVersion::hotSlots).toList();
        if (hot.isEmpty()) {
            return;
        }
        SetEntries working = SetEntries.parseOrNone(annotations.get(PodAnnotations.WORKING_SLOTS));
        for (HotSlots slots : hot) {
            working = slots.with(working, slots.first());
            annotations.put(HotSlots.version(slots.first()), "1");
            annotations.put(HotSlots.otherVersion(slots.first()), "0");
            annotations.put(HotSlots.version(slots.second()), "0");
            annotations.put(HotSlots.otherVersion(slots.second()), "1");
        }
        annotations.put(PodAnnotations.WORKING_SLOTS, working.toString());
    }

    private void write(Map<String, String> present, Map<String, String> wanted) {
        if (!pod.path("metadata").path("annotations").isObject()) {
            ObjectNode all = JsonNodeFactory.instance.objectNode();
            wanted.forEach(all::put);
            patch.add("/metadata/annotations", all);
            return;
        }
        wanted.forEach((name, value) -> {
            if (!value.equals(present.get(name))) {
                patch.add(JsonPatch.pointer("metadata", "annotations", name), TextNode.valueOf(value));
            }
        });
    }

    /** Worked out only for sidecars that look at them. */
    private AppContainers appContainers() {
        if (app == null) {
            app = new AppContainers(pod, names(CompiledVersion::containers), names(CompiledVersion::initContainers));
        }
        return app;
    }

    private Set<String> names(Function<CompiledVersion, List<Sidecar>> sidecars) {
        return each(sidecars).map(Sidecar::name).collect(Collectors.toSet());
    }

    private NamedList list(String name) {
        return new NamedList("/spec/" + name, pod.path("spec").path(name));
    }

    private <T> Stream<T> each(Function<CompiledVersion, List<T>> items) {
        return sets.stream().flatMap(set -> items.apply(set).stream());
    }
}
