package io.busbar.operator.sidecarset.inject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which of the sets that match a Pod are injected, and why the others are not.
 *
 * <p>Immutable.
 *
 * @param injected by name
 * @param skipped by name, for people
 */
record Selection(List<VersionChoice> injected, SortedMap<String, String> skipped) {

    /**
     * @param matching sets that match the Pod and its namespace, by name
     */
    static Selection of(List<CompiledSidecarSet> matching) {
        Map<String, String> canaries = new HashMap<>();
        for (CompiledSidecarSet set : matching) {
            if (set.versions() != null) {
                set.base().ifPresent(base -> canaries.putIfAbsent(base, set.name()));
            }
        }
        List<VersionChoice> injected = new ArrayList<>();
        SortedMap<String, String> skipped = new TreeMap<>();
        for (CompiledSidecarSet set : matching) {
            VersionChoice versions = set.versions();
            if (versions == null) {
                skipped.put(set.name(), set.obstacle());
            } else if (canaries.containsKey(set.name())) {
                skipped.put(set.name(), "its canary " + canaries.get(set.name()) + " takes its place");
            } else {
                injected.add(versions);
            }
        }
        return new Selection(injected, skipped);
    }

    /** None of them, for a reason that lies with the Pod. */
    static Selection none(List<CompiledSidecarSet> matching, String reason) {
        SortedMap<String, String> skipped = new TreeMap<>();
        matching.forEach(set -> skipped.put(set.name(), reason));
        return new Selection(List.of(), skipped);
    }

    /** For the user who creates the Pod. */
    List<String> warnings() {
        return skipped.entrySet().stream()
                .map(set -> "SidecarSet " + set.getKey() + " is not injected: " + set.getValue())
                .toList();
    }
}
