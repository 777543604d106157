package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which instances read which external objects, as their last reconciles have come to know it: a change of such an
 * object concerns these and nobody else.
 *
 * <p>Any thread.
 */
final class Reads {

    /** @param name empty for those that a selector finds */
    private record Read(String apiVersion, String kind, String namespace, String name) {}

    /** So many that have gone may always be known. */
    private static final int FEW = 16;

    private final Map<Read, Set<ObjectKey>> readers = new HashMap<>();
    private final Map<ObjectKey, Set<Read>> reads = new HashMap<>();
    /** So many readers are known before those are sought that have gone. */
    private int enough = FEW;

    /** An instance is about to look at one. */
    synchronized void add(ObjectKey instance, JsonNode reference) {
        Read read = read(reference);
        reads.computeIfAbsent(instance, none -> new HashSet<>()).add(read);
        readers.computeIfAbsent(read, none -> new HashSet<>()).add(instance);
    }

    /** An instance reads these and no others; none for one that is gone. */
    synchronized void keep(ObjectKey instance, List<JsonNode> references) {
        Set<Read> now = references.stream().map(Reads::read).collect(Collectors.toCollection(HashSet::new));
        Set<Read> before = now.isEmpty() ? reads.remove(instance) : reads.put(instance, now);
        if (before == null) {
            return;
        }
        before.removeAll(now);
        before.forEach(read -> readers.computeIfPresent(read, (same, who) -> {
            who.remove(instance);
            return who.isEmpty() ? null : who;
        }));
    }

    /**
     * Forgets readers that have gone, once they may be more than half.
     *
     * @param there those that have not
     */
    synchronized void sweep(Lister<?> there) {
        if (reads.size() > enough) {
            reads.keySet().stream()
                    .filter(reader -> there.get(reader).isEmpty())
                    .toList()
                    .forEach(gone -> keep(gone, List.of()));
            enough = 2 * reads.size() + FEW;
        }
    }

    private static Read read(JsonNode reference) {
        JsonNode metadata = reference.path("metadata");
        return new Read(
                reference.path("apiVersion").asText(),
                reference.path("kind").asText(),
                metadata.path("namespace").asText(),
                metadata.path("name").asText());
    }

    /** Who reads an object that has changed. */
    synchronized Set<ObjectKey> readersOf(HasMetadata object) {
        String namespace = Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
        Set<ObjectKey> who = new HashSet<>();
        for (String name : List.of("", object.getMetadata().getName())) {
            for (String where : List.of("", namespace)) { // twice the same for one in no namespace
                who.addAll(readers.getOrDefault(
                        new Read(object.getApiVersion(), object.getKind(), where, name), Set.of()));
            }
        }
        return who;
    }
}
