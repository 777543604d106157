package io.busbar.blueprint.check;

import io.busbar.blueprint.source.Place;
import io.busbar.blueprint.source.Problems;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What depends on what, and the order that follows: each resource after those that it reads, and else as written.
 *
 * <p>One thread.
 */
final class ResourceOrder {

    /** By the resource that reads, then the one that is read: where the first such expression is. */
    private final Map<String, Map<String, Place>> reads = new LinkedHashMap<>();

    private final Set<Set<String>> told = new HashSet<>();

    ResourceOrder(List<String> ids) {
        ids.forEach(id -> reads.put(id, new LinkedHashMap<>()));
    }

    void add(String reader, String read, Place place) {
        Map<String, Place> known = reads.get(reader);
        if (known != null && reads.containsKey(read)) {
            known.putIfAbsent(read, place);
        }
    }

    Set<String> readBy(String id) {
        return new LinkedHashSet<>(reads.getOrDefault(id, Map.of()).keySet());
    }

    /** All ids, in order; what is in a cycle comes last, and the problems name it. */
    List<String> order(Problems problems) {
        Set<String> ordered = new LinkedHashSet<>();
        while (ordered.size() < reads.size()) {
            String next = reads.keySet().stream()
                    .filter(id -> !ordered.contains(id) && ordered.containsAll(readBy(id)))
                    .findFirst()
                    .orElse(null);
            if (next == null) {
                tellCycles(ordered, problems);
                ordered.addAll(reads.keySet());
                break;
            }
            ordered.add(next);
        }
        return List.copyOf(ordered);
    }

    private void tellCycles(Set<String> ordered, Problems problems) {
        Set<String> done = new HashSet<>(ordered);
        for (String id : reads.keySet()) {
            follow(id, new ArrayList<>(), done, problems);
        }
    }

    private Place place(String reader, String read) {
        return reads.getOrDefault(reader, Map.of()).getOrDefault(read, new Place("", 1, 1));
    }

    private void follow(String id, List<String> path, Set<String> done, Problems problems) {
        int start = path.indexOf(id);
        if (start >= 0) {
            List<String> cycle = new ArrayList<>(path.subList(start, path.size()));
            if (told.add(new TreeSet<>(cycle))) {
                Place place = place(cycle.get(cycle.size() - 1), id);
                cycle.add(id);
                problems.add(place, "the resources refer to one another in a cycle: " + String.join(" → ", cycle));
            }
            return;
        }
        if (done.contains(id)) {
            return;
        }
        path.add(id);
        readBy(id).forEach(read -> follow(read, path, done, problems));
        path.remove(path.size() - 1);
        done.add(id);
    }
}
