package io.busbar.watcher.store;

import io.busbar.common.ObjectKey;
import io.busbar.common.guard.Guard;
import io.busbar.common.guard.SlowCalls;
import io.busbar.common.watch.Index;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that an index files under each value.
 *
 * <p>Written on one context, read from any thread. A key stands under its new values before it leaves the old ones.
 */
final class FiledKeys<T> {

    private final Index<T> index;
    private final Guard guard;
    private final SlowCalls slow;
    private final Map<String, Set<ObjectKey>> keys = new ConcurrentHashMap<>();
    private final Map<ObjectKey, Set<String>> values = new ConcurrentHashMap<>();

    FiledKeys(Index<T> index, Guard guard, SlowCalls slow) {
        this.index = index;
        this.guard = guard;
        this.slow = slow;
    }

    Index<T> index() {
        return index;
    }

    Set<ObjectKey> under(String value) {
        return keys.getOrDefault(value, Set.of());
    }

    /** Files an object anew; under nothing where the index's function fails. */
    void file(ObjectKey key, T object) {
        refile(key, values(key, object));
    }

    void remove(ObjectKey key) {
        refile(key, Set.of());
    }

    private void refile(ObjectKey key, Set<String> now) {
        Set<String> before = now.isEmpty() ? values.remove(key) : values.put(key, now);
        for (String value : now) {
            keys.computeIfAbsent(value, v -> ConcurrentHashMap.newKeySet(1)).add(key);
        }
        for (String value : before == null ? Set.<String>of() : before) {
            if (!now.contains(value)) {
                keys.computeIfPresent(value, (v, filed) -> filed.remove(key) && filed.isEmpty() ? null : filed);
            }
        }
    }

    private Set<String> values(ObjectKey key, T object) {
        long begun = slow.begin();
        try {
            return Set.copyOf(index.values().apply(object));
        } catch (Throwable thrown) {
            guard.caught(thrown, Map.of("index", index.name(), "namespace", key.namespace(), "name", key.name()));
            return Set.of();
        } finally {
            slow.end(begun, index.name());
        }
    }
}
