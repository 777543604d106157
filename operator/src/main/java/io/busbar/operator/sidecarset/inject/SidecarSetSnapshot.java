package io.busbar.operator.sidecarset.inject;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All sets that can match a Pod, at one moment, filed so that a Pod meets only those that can match it.
 *
 * <p>Immutable. A changed copy shares all that has not changed: nothing is compiled again but what is new, and only the
 * places where it is filed are copied.
 */
final class SidecarSetSnapshot {

    static final SidecarSetSnapshot EMPTY = new SidecarSetSnapshot(Map.of(), Map.of(), List.of());

    private static final Comparator<CompiledSidecarSet> BY_NAME = Comparator.comparing(CompiledSidecarSet::name);

    private final Map<String, CompiledSidecarSet> sets;
    private final Map<String, Map<String, List<CompiledSidecarSet>>> byLabel;
    private final List<CompiledSidecarSet> anywhere;

    private SidecarSetSnapshot(
            Map<String, CompiledSidecarSet> sets,
            Map<String, Map<String, List<CompiledSidecarSet>>> byLabel,
            List<CompiledSidecarSet> anywhere) {
        this.sets = sets;
        this.byLabel = byLabel;
        this.anywhere = anywhere;
    }

    static SidecarSetSnapshot of(Collection<CompiledSidecarSet> all) {
        SidecarSetSnapshot snapshot = new SidecarSetSnapshot(new HashMap<>(), new HashMap<>(), new ArrayList<>());
        all.forEach(snapshot::file);
        return snapshot;
    }

    int size() {
        return sets.size();
    }

    /** By name. */
    List<CompiledSidecarSet> all() {
        return sets.values().stream().sorted(BY_NAME).toList();
    }

    /** The sets whose selector matches these labels, by name: whether the namespace is theirs is yet to be seen. */
    List<CompiledSidecarSet> selecting(String namespace, Map<String, String> labels) {
        List<CompiledSidecarSet> found = new ArrayList<>(2);
        labels.forEach((key, value) -> addSelecting(filed(key, value), labels, found));
        addSelecting(filed(RequiredLabel.NAMESPACE, namespace), labels, found);
        addSelecting(anywhere, labels, found);
        found.sort(BY_NAME);
        return found;
    }

    /** With one set as it is now; empty where it is gone or can match no Pod. */
    SidecarSetSnapshot with(String name, Optional<CompiledSidecarSet> set) {
        CompiledSidecarSet before = sets.get(name);
        if (before == null && set.isEmpty()) {
            return this;
        }
        SidecarSetSnapshot copy =
                new SidecarSetSnapshot(new HashMap<>(sets), new HashMap<>(byLabel), new ArrayList<>(anywhere));
        if (before != null) {
            copy.own(before);
            copy.unfile(before);
        }
        if (set.isPresent()) {
            copy.own(set.get());
            copy.file(set.get());
        }
        return copy;
    }

    private List<CompiledSidecarSet> filed(String key, String value) {
        return byLabel.getOrDefault(key, Map.of()).getOrDefault(value, List.of());
    }

    private static void addSelecting(
            List<CompiledSidecarSet> sets, Map<String, String> labels, List<CompiledSidecarSet> found) {
        for (CompiledSidecarSet set : sets) {
            if (set.matching().matchesLabels(labels)) {
                found.add(set);
            }
        }
    }

    /** Copies the places where a set is filed, before they are written to. */
    private void own(CompiledSidecarSet set) {
        set.requiredLabel().ifPresent(label -> {
            Map<String, List<CompiledSidecarSet>> values = new HashMap<>(byLabel.getOrDefault(label.key(), Map.of()));
            label.values().forEach(value -> values.computeIfPresent(value, (same, filed) -> new ArrayList<>(filed)));
            byLabel.put(label.key(), values);
        });
    }

    private void file(CompiledSidecarSet set) {
        sets.put(set.name(), set);
        if (set.requiredLabel().isEmpty()) {
            anywhere.add(set);
            return;
        }
        RequiredLabel label = set.requiredLabel().get();
        Map<String, List<CompiledSidecarSet>> values = byLabel.computeIfAbsent(label.key(), key -> new HashMap<>());
        label.values()
                .forEach(value ->
                        values.computeIfAbsent(value, v -> new ArrayList<>()).add(set));
    }

    private void unfile(CompiledSidecarSet set) {
        sets.remove(set.name());
        anywhere.remove(set);
        set.requiredLabel().ifPresent(label -> {
            Map<String, List<CompiledSidecarSet>> values = byLabel.getOrDefault(label.key(), Map.of());
            label.values()
                    .forEach(value -> values.computeIfPresent(value, (same, filed) -> {
                        filed.remove(set);
                        return filed.isEmpty() ? null : filed;
                    }));
            if (values.isEmpty()) {
                byLabel.remove(label.key());
            }
        });
    }
}
