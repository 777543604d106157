package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.operator.sidecarset.pod.HashEntry;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings sets into one Pod.
 *
 * <p>For one thread. Guarantees: what is patched comes out the same however often it is done; the order of several sets is
 * that of their names; nothing else of the Pod is touched.
 *
 * <p>Source of the rules: OpenKruise's Pod webhook.
 */
final class PodMerge {

    private final ObjectNode pod;
    private final List<CompiledSidecarSet> sets;
    private final JsonPatch patch = new JsonPatch();
    private @Nullable AppContainers app;

    private PodMerge(ObjectNode pod, List<CompiledSidecarSet> sets) {
        this.pod = pod;
        this.sets = sets;
    }

    /**
     * @param pod as it is to be created; not changed
     * @param sets that match it, by name
     * @return the patch; empty if the Pod has all of it already
     * @throws UnreadableAnnotationException when the Pod brings an annotation that cannot be read
     */
    static ArrayNode patch(ObjectNode pod, List<CompiledSidecarSet> sets, Instant now)
            throws UnreadableAnnotationException {
        PodMerge merge = new PodMerge(pod, sets);
        merge.initContainers();
        merge.containers();
        merge.volumes();
        merge.pullSecrets();
        merge.annotations(now);
        return merge.patch.operations();
    }

    /** Sorted by name over all sets: the order among a set's own init containers is no promise of OpenKruise's. */
    private void initContainers() {
        NamedList list = list("initContainers");
        each(CompiledSidecarSet::initContainers)
                .sorted(Comparator.comparing(Sidecar::name))
                .forEach(sidecar -> list.put(sidecar.in(this::appContainers), sidecar.inFront()));
        list.writeTo(patch);
    }

    private void containers() {
        NamedList list = list("containers");
        each(CompiledSidecarSet::containers)
                .forEach(sidecar -> list.put(sidecar.in(this::appContainers), sidecar.inFront()));
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
        each(CompiledSidecarSet::pullSecrets).forEach(list::addMissing);
        list.writeTo(patch);
    }

    private void annotations(Instant now) throws UnreadableAnnotationException {
        Map<String, String> present = new LinkedHashMap<>();
        pod.path("metadata")
                .path("annotations")
                .properties()
                .forEach(entry -> present.put(entry.getKey(), entry.getValue().asText()));
        Map<String, String> wanted = new LinkedHashMap<>(present);
        for (CompiledSidecarSet set : sets) {
            MetadataPatches.apply(set.metadataPatches(), wanted);
        }
        addEntries(wanted, PodAnnotations.HASH, version -> version.entry(now));
        addEntries(wanted, PodAnnotations.HASH_WITHOUT_IMAGE, version -> version.entryWithoutImage(now));
        wanted.put(
                PodAnnotations.INJECTED_LIST,
                InjectedList.parse(wanted.get(PodAnnotations.INJECTED_LIST))
                        .with(sets.stream().map(CompiledSidecarSet::name).toList())
                        .toString());
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
        for (CompiledSidecarSet set : sets) {
            HashEntry wanted = entry.apply(set.version()).keepingTimeOf(entries);
            entries = entries.with(set.name(), wanted.json());
        }
        annotations.put(name, entries.toString());
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

    /** Worked out only for sidecars that borrow. */
    private AppContainers appContainers() {
        if (app == null) {
            app = new AppContainers(
                    pod, each(CompiledSidecarSet::containers).map(Sidecar::name).collect(Collectors.toSet()));
        }
        return app;
    }

    private NamedList list(String name) {
        return new NamedList("/spec/" + name, pod.path("spec").path(name));
    }

    private <T> Stream<T> each(Function<CompiledSidecarSet, List<T>> items) {
        return sets.stream().flatMap(set -> items.apply(set).stream());
    }
}
