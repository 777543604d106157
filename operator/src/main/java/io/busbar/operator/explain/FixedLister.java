package io.busbar.operator.explain;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;

/** Reads objects that were read once. Immutable; each question looks at all of them. */
record FixedLister<T extends HasMetadata>(List<T> list) implements Lister<T> {

    FixedLister {
        list = List.copyOf(list);
    }

    @Override
    public Optional<T> get(ObjectKey key) {
        return list.stream().filter(object -> ObjectKey.of(object).equals(key)).findFirst();
    }

    @Override
    public List<T> list(String namespace) {
        return list.stream()
                .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
                .toList();
    }

    @Override
    public List<T> by(Index<T> index, String value) {
        return list.stream()
                .filter(object -> index.values().apply(object).contains(value))
                .toList();
    }

    @Override
    public int size() {
        return list.size();
    }

    @Override
    public boolean synced() {
        return true;
    }
}
