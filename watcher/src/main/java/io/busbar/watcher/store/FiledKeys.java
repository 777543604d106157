package io.busbar.watcher.store;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Index;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The keys that an index files under each value.
 *
 * <p>Written on one context, read from any thread. A key stands under its new values before it leaves the old ones.
 */
final class FiledKeys<T> {

    private static final Logger log = LoggerFactory.getLogger(FiledKeys.class);

    private final Index<T> index;
    private final Map<String, Set<ObjectKey>> keys = new ConcurrentHashMap<>();
    private final Map<ObjectKey, Set<String>> values = new ConcurrentHashMap<>();

    private boolean complained;

    FiledKeys(Index<T> index) {
        this.index = index;
    }

    Set<ObjectKey> under(String value) {
        return keys.getOrDefault(value, Set.of());
    }

    /** Files an object anew; under nothing where the index's function fails, which is logged once. */
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
        try {
            return Set.copyOf(index.values().apply(object));
        } catch (RuntimeException e) {
            log.atLevel(complained ? Level.DEBUG : Level.WARN)
                    .addKeyValue("index", index.name())
                    .addKeyValue("namespace", key.namespace())
                    .addKeyValue("name", key.name())
                    .setCause(e)
                    .log("The function of an index fails; further failures are logged at DEBUG");
            complained = true;
            return Set.of();
        }
    }
}
