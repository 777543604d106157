package io.busbar.reconciler.work;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds controllers that keep themselves busy: that write an object, are brought back by the change that this makes,
 * write it again, and so on, as with a status that holds the present time, or with two places in the code that set one
 * field to different values.
 *
 * <p>A loop is a row of {@value #LONG_ROW} turns of one primary, one after the other, of which each has written the
 * same object (its version has changed by that), and each but the first was brought about by own writes of that
 * primary's turns and by nothing else: no change by anybody else of anything that the controller's triggers look for,
 * no requeue, no retry and no resync in between. So a controller that follows what others do (a rolling update, a
 * backup's progress, Pods that crash) is none, however often it writes; nor is one that comes back by the clock. A
 * controller and another one that undo each other's changes are not found.
 *
 * <p>A loop is named in a WARN, once per minute for each object at most, and its turns are counted in
 * {@code busbar_reconcile_write_loops_total} from the {@value #LONG_ROW}th on.
 *
 * <p>Memory: of {@value #MOST_PRIMARIES} primaries at most, those that were written for last, {@value #MOST_VERSIONS}
 * versions and {@value #MOST_OBJECTS} objects each. What is forgotten is found later, or not at all.
 *
 * <p>Any thread; a lock is held for a few lookups.
 */
final class WriteLoops {

    static final int LONG_ROW = 20;
    static final int MOST_PRIMARIES = 1000;
    static final int MOST_VERSIONS = 64;
    static final int MOST_OBJECTS = 16;
    private static final int MOST_FIELDS = 5;
    private static final Duration BETWEEN_REPORTS = Duration.ofMinutes(1);
    /** These change with each write. */
    private static final Set<String> BOOKKEEPING = Set.of("resourceVersion", "managedFields", "generation");

    private static final Logger log = LoggerFactory.getLogger(WriteLoops.class);

    private final Function<HasMetadata, JsonNode> json;
    private final Counter turns;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ObjectKey, Primary> primaries = eldestOut(MOST_PRIMARIES);
    private final Map<Place, Long> nextReports = eldestOut(MOST_PRIMARIES);

    @SuppressWarnings("ThreadLocalUsage") // Each has its own.
    private final ThreadLocal<@Nullable Turn> running = new ThreadLocal<>();

    private record Place(String kind, ObjectKey key) {}

    /** What was written in one turn; for its thread. */
    private static final class Turn {
        private final Map<Place, HasMetadata> written = new HashMap<>();
        private final List<String> versions = new ArrayList<>();
    }

    /** How often an object was written in a row of turns. */
    private static final class Row {
        private int turns;
        private @Nullable HasMetadata last;
    }

    /** Guarded by the lock. */
    private static final class Primary {
        private final Map<Place, Row> rows = eldestOut(MOST_OBJECTS);
        private final Set<String> own = Collections.newSetFromMap(eldestOut(MOST_VERSIONS));
        /** Versions that have brought the primary back since its last turn began, and are not known to be own ones. */
        private final Set<String> foreign = new LinkedHashSet<>();

        private boolean broughtBackByOwn;
    }

    /**
     * @param json turns an object into JSON, for a report
     * @param nanos a clock that does not go back
     */
    WriteLoops(String controller, Function<HasMetadata, JsonNode> json, MeterRegistry meters, LongSupplier nanos) {
        this.json = json;
        this.nanos = nanos;
        this.turns = Counter.builder("busbar_reconcile_write_loops")
                .description("Reconciles that have written an object once more, brought about by own writes alone.")
                .tag("controller", controller)
                .register(meters);
    }

    private static <K, V> Map<K, V> eldestOut(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /**
     * A primary is to be reconciled.
     *
     * @param version of the change that has made it necessary; empty for anything else
     */
    void requested(ObjectKey key, String version) {
        lock.lock();
        try {
            Primary primary = primaries.get(key);
            if (primary == null) {
                return;
            }
            if (primary.own.contains(version)) {
                primary.broughtBackByOwn = true;
            } else if (primary.foreign.size() < MOST_VERSIONS) {
                primary.foreign.add(version);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Runs a turn of a primary; what is {@linkplain #wrote written} on this thread meanwhile is this turn's. */
    <T> T turn(ObjectKey key, Callable<T> work) throws Exception {
        boolean goesOn = begin(key);
        Turn turn = new Turn();
        running.set(turn);
        try {
            return work.call();
        } finally {
            running.remove();
            end(key, turn, goesOn);
        }
    }

    /** Something was written in a cluster, as its API server has answered. */
    void wrote(String cluster, HasMetadata object) {
        Turn turn = running.get();
        String version = object.getMetadata().getResourceVersion();
        if (turn != null && version != null) {
            turn.written.put(new Place(object.getKind(), ObjectKey.of(object).in(cluster)), object);
            turn.versions.add(version);
        }
    }

    /** Whether own writes alone have brought the primary back. */
    private boolean begin(ObjectKey key) {
        lock.lock();
        try {
            Primary primary = primaries.get(key);
            if (primary == null) {
                return false;
            }
            boolean goesOn = primary.broughtBackByOwn && primary.foreign.isEmpty();
            primary.broughtBackByOwn = false;
            primary.foreign.clear();
            return goesOn;
        } finally {
            lock.unlock();
        }
    }

    private void end(ObjectKey key, Turn turn, boolean goesOn) {
        lock.lock();
        try {
            Primary primary = primaries.get(key);
            if (primary == null && turn.written.isEmpty()) {
                return;
            }
            Primary known = primaries.computeIfAbsent(key, added -> new Primary());
            for (String version : turn.versions) {
                known.own.add(version);
                // Its change may have been seen before its answer.
                known.broughtBackByOwn |= known.foreign.remove(version);
            }
            if (goesOn) {
                known.rows.keySet().retainAll(turn.written.keySet());
            } else {
                known.rows.clear();
            }
            turn.written.forEach((place, object) -> count(known, place, object));
        } finally {
            lock.unlock();
        }
    }

    private void count(Primary primary, Place place, HasMetadata object) {
        Row row = primary.rows.computeIfAbsent(place, added -> new Row());
        HasMetadata before = row.last;
        if (before != null && version(before).equals(version(object))) {
            return;
        }
        row.turns++;
        row.last = object;
        if (row.turns < LONG_ROW) {
            return;
        }
        turns.increment();
        long now = nanos.getAsLong();
        Long due = nextReports.get(place);
        if (before != null && (due == null || now - due >= 0)) {
            nextReports.put(place, now + BETWEEN_REPORTS.toNanos());
            log.atWarn()
                    .addKeyValue("kind", place.kind())
                    .addKeyValue("object", place.key())
                    .addKeyValue("turns", row.turns)
                    .addKeyValue("fields", fields(before, object))
                    .log("The controller writes an object again and again, and nothing but that makes it do so");
        }
    }

    private static String version(HasMetadata object) {
        return String.valueOf(object.getMetadata().getResourceVersion());
    }

    /** Some of the fields in which an object differs from how it was written before. */
    private List<String> fields(HasMetadata before, HasMetadata after) {
        List<String> paths = new ArrayList<>();
        compare("", json.apply(before), json.apply(after), paths);
        return paths;
    }

    private static void compare(String path, JsonNode before, JsonNode after, List<String> paths) {
        if (before.equals(after) || paths.size() == MOST_FIELDS) {
            return;
        }
        if (before.isObject() && after.isObject()) {
            Set<String> names = new LinkedHashSet<>();
            before.fieldNames().forEachRemaining(names::add);
            after.fieldNames().forEachRemaining(names::add);
            names.removeIf(name -> path.equals("metadata") && BOOKKEEPING.contains(name));
            for (String name : names) {
                compare(path.isEmpty() ? name : path + "." + name, before.path(name), after.path(name), paths);
            }
        } else {
            paths.add(path);
        }
    }

    /** How many primaries something is remembered of. */
    int size() {
        lock.lock();
        try {
            return primaries.size();
        } finally {
            lock.unlock();
        }
    }
}
