package io.busbar.operator.sidecarset.validation;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A lister over a map. It knows the validator's indexes and scans for them; counts what it hands out. */
final class StoredSets implements Lister<SidecarSet> {

    private final Map<String, SidecarSet> sets = new TreeMap<>();
    private int handedOut;

    void store(SidecarSet set) {
        sets.put(set.getMetadata().getName(), set);
    }

    int handedOut() {
        return handedOut;
    }

    @Override
    public Optional<SidecarSet> get(ObjectKey key) {
        return Optional.ofNullable(sets.get(key.name()));
    }

    @Override
    public List<SidecarSet> list() {
        handedOut += sets.size();
        return List.copyOf(sets.values());
    }

    @Override
    public List<SidecarSet> list(String namespace) {
        return list();
    }

    @Override
    public List<SidecarSet> by(Index<SidecarSet> index, String value) {
        if (!SidecarSetValidator.indexes().contains(index)) {
            throw new IllegalArgumentException("not declared: " + index.name());
        }
        List<SidecarSet> found = sets.values().stream()
                .filter(set -> index.values().apply(set).contains(value))
                .toList();
        handedOut += found.size();
        return found;
    }

    @Override
    public int size() {
        return sets.size();
    }

    @Override
    public boolean synced() {
        return true;
    }
}
