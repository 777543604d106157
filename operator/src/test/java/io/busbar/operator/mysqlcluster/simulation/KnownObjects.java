package io.busbar.operator.mysqlcluster.simulation;

import io.busbar.testkit.memory.InMemoryContext;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What there is, read anew once anything has changed: each second asks for all of it. For one thread. */
final class KnownObjects {

    private final InMemoryContext<?> objects;
    private final Map<Class<?>, List<?>> lists = new HashMap<>();
    private String version = "";

    KnownObjects(InMemoryContext<?> objects) {
        this.objects = objects;
    }

    /** Whoever changes one puts it at once. */
    @SuppressWarnings("unchecked") // each is put there under its type
    <T extends HasMetadata> List<T> list(Class<T> type) {
        String now = objects.resourceVersion();
        if (!now.equals(version)) {
            version = now;
            lists.clear();
        }
        return (List<T>) lists.computeIfAbsent(type, any -> objects.list(type));
    }

    <T extends HasMetadata> Optional<T> get(Class<T> type, String name) {
        return list(type).stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst();
    }
}
