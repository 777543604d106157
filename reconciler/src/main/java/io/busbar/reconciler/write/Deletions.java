package io.busbar.reconciler.write;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceVersions;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Which objects the watches saw go lately: the answer to a write may come later than that.
 *
 * <p>Any thread.
 */
final class Deletions {

    /** Longer than a request may take. */
    static final Duration KEPT = Duration.ofSeconds(30);

    private final LongSupplier clock;

    /** The oldest first. */
    private final Map<Name, Seen> seen = new LinkedHashMap<>();

    /** @param clock nanoseconds that do not go back */
    Deletions(LongSupplier clock) {
        this.clock = clock;
    }

    private record Name(Class<?> type, ObjectKey key) {}

    private record Seen(String version, long at) {}

    /** @param version of the deletion */
    synchronized void note(Class<?> type, ObjectKey key, String version) {
        long now = clock.getAsLong();
        Iterator<Seen> oldest = seen.values().iterator();
        while (oldest.hasNext() && now - oldest.next().at() > KEPT.toNanos()) {
            oldest.remove();
        }
        Name name = new Name(type, key);
        seen.remove(name);
        seen.put(name, new Seen(version, now));
    }

    /** Whether an object of this version is gone since; where versions have no order, nobody knows. */
    synchronized boolean cover(Class<?> type, ObjectKey key, String version) {
        Seen deletion = seen.get(new Name(type, key));
        return deletion != null
                && ResourceVersions.compare(version, deletion.version()).orElse(0) < 0;
    }
}
